// SPDX-License-Identifier: MIT
// Attachment points from three sources, in three forms, with one result:
//
//     --attach top=0,1.7,0:0,0,0,1:0.1      command line: name = place : quaternion x y z w : radius
//     "top": { "position": [0, 1.7, 0] }    recipe, also with normal and tangent instead of a rotation
//     a node named attach_top               glTF, or a node with gelpack_attachment in its extras
//
// Frames: y is the normal (out of the body), z the tangent; the rotation takes the axes of the point to those
// of the art. Positions [m] after --scale.
#include "bake/settings/attachment_points.h"

#include "bake/settings/asked_settings.h"
#include "common/program/clean_text.h"
#include "common/program/options.h"
#include "pack/pack_layout.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <string.h>
#include <strings.h>

#define MAX_REACH  1e9 // [m]
#define NAME_BYTES ( sizeof( ( (gelBakeAttachment*)NULL )->name ) )

// What is wrong with a name, or NULL.
static const char* FindNameFault( const char* name )
{
	char clean[4 * NAME_BYTES];
	if ( name[0] == 0 || strlen( name ) >= NAME_BYTES ) return "a name has 1 to 63 bytes";
	gelCleanTextTo( clean, sizeof( clean ), name );
	if ( strcmp( clean, name ) != 0 ) return "a name is printable UTF-8";
	return strchr( name, '=' ) != NULL ? "a name has no '='" : NULL;
}

// Limits far from over- and underflow of squares; what is beyond has no direction that a float could keep.
static bool Normalize( double* v, int count )
{
	double square = 0.0;
	for ( int k = 0; k < count; ++k )
		square += v[k] * v[k];
	if ( !( square > 1e-12 && square < 1e24 ) ) return false;
	for ( int k = 0; k < count; ++k )
		v[k] /= sqrt( square );
	return true;
}

static bool IsInReach( const gelBakeAttachment* point )
{
	bool isInReach = point->radius >= 0.0 && point->radius <= MAX_REACH;
	for ( int k = 0; k < 3; ++k )
		isInReach = isInReach && fabs( point->position[k] ) <= MAX_REACH;
	return isInReach;
}

// ---- texts ----------------------------------------------------------------------------------------------

// Numbers between commas up to a colon or the end. @return how many; 0: something else is there, or more than
// four
static int ParseNumbers( const char** text, double out[4] )
{
	for ( int count = 0; count < 4; )
	{
		char number[64];
		size_t length = strcspn( *text, ",:" );
		if ( length >= sizeof( number ) ) return 0;
		memcpy( number, *text, length );
		number[length] = 0;
		if ( !gelParseNumber( number, out + count++ ) ) return 0;
		*text += length;
		if ( **text != ',' ) return count;
		*text += 1;
	}
	return 0;
}

// "0,1.7,0:0,0,0,1:0.1"
static const char* ParsePlace( const char* text, gelBakeAttachment* out )
{
	static const char form[] = "behind the name there is X,Y,Z, then :QX,QY,QZ,QW or :RADIUS or both";
	double numbers[4];
	out->rotation[3] = 1.0;
	if ( ParseNumbers( &text, numbers ) != 3 ) return form;
	memcpy( out->position, numbers, 3 * sizeof( double ) );
	for ( int part = 0; *text == ':' && part < 2; ++part )
	{
		text += 1;
		int count = ParseNumbers( &text, numbers );
		if ( count == 4 && part == 0 )
			memcpy( out->rotation, numbers, sizeof( out->rotation ) );
		else if ( count == 1 && *text == 0 )
			out->radius = numbers[0];
		else
			return form;
	}
	if ( *text != 0 ) return form;
	if ( !Normalize( out->rotation, 4 ) ) return "the quaternion has no direction";
	return IsInReach( out ) ? NULL : "coordinates are within +-1e9 m, and a radius within 0 to 1e9 m";
}

const char* gelParseAttachment( const char* text, gelBakeAttachment* out )
{
	GEL_ASSERT( text != NULL );
	size_t length = strcspn( text, "=" );
	*out = ( gelBakeAttachment ){ 0 };
	if ( text[length] == 0 ) return "it has the form NAME=X,Y,Z";
	if ( length >= NAME_BYTES ) return "a name has 1 to 63 bytes";
	memcpy( out->name, text, length );
	const char* fault = FindNameFault( out->name );
	return fault != NULL ? fault : ParsePlace( text + length + 1, out );
}

static int FindName( const gelBakeAttachment* points, int count, const char* name )
{
	int at = 0;
	while ( at < count && strcmp( points[at].name, name ) != 0 )
		at += 1;
	return at;
}

// Sources are in order of rank, so the first of a name wins.
bool gelMergeAttachments( const gelValueList* points, gelBakePool* pool, gelFindings* findings,
	gelBakeAttachment** outPoints, int* outCount )
{
	GEL_ASSERT( points->count == 0 || points->items != NULL );
	const gelBakeAttachment* all = points->items;
	gelBakeAttachment* merged = gelBakePool_Alloc( pool, (size_t)points->count, sizeof( gelBakeAttachment ) );
	int count = 0;
	for ( int i = 0; i < points->count; ++i )
	{
		if ( FindName( merged, count, all[i].name ) < count ) continue;
		if ( count == (int)GEL_PACK_MAX_ATTACHMENTS )
		{
			gelFindings_Add( findings, gel_findingUsage, NULL,
				"--attach %.120s: a pack holds at most 1024 attachment points", all[i].name );
			return false;
		}
		merged[count++] = all[i];
	}
	*outPoints = merged;
	*outCount = count;
	return true;
}

// ---- recipes --------------------------------------------------------------------------------------------

static bool ReadNumbers( gelJsonReader* json, const json_t* value, size_t count, double* out )
{
	return gelReadJsonNumbers( value, count, MAX_REACH, out ) ||
		gelJson_Fail( json, "it has to be an array of %zu numbers within +-1e9", count );
}

// A member that may not be there.
static bool ReadMember(
	gelJsonReader* json, const json_t* object, const char* key, size_t count, double* out, bool* outIsThere )
{
	const json_t* value = json_object_get( object, key );
	*outIsThere = value != NULL;
	if ( value == NULL ) return true;
	gelJson_EnterKey( json, key );
	bool ok = ReadNumbers( json, value, count, out );
	gelJson_Leave( json );
	return ok;
}

// The rotation that takes y to the unit vector n the short way, and z to the tangent as nearly as that goes
// if there is one. False: the tangent is along the normal.
static bool MakeRotation( const double n[3], const double* tangent, double q[4] )
{
	GEL_ASSERT( fabs( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0 ) < 1e-6 );
	// half way between y and n: ( y x n, 1 + y . n ), and any half turn about a level axis where n is -y
	q[0] = n[2];
	q[1] = 0.0;
	q[2] = -n[0];
	q[3] = 1.0 + n[1];
	if ( q[3] < 1e-9 ) q[0] = 1.0, q[1] = q[2] = q[3] = 0.0;
	Normalize( q, 4 );
	if ( tangent == NULL ) return true;
	// how far z, turned like this, has to be turned about n
	double x = q[0], y = q[1], z = q[2], w = q[3];
	// Columns x and z of the rotation matrix of q: where the axes of the point are so far.
	double side[3] = { 1.0 - 2.0 * ( y * y + z * z ), 2.0 * ( x * y + z * w ), 2.0 * ( x * z - y * w ) };
	double front[3] = { 2.0 * ( x * z + y * w ), 2.0 * ( y * z - x * w ), 1.0 - 2.0 * ( x * x + y * y ) };
	double sine = 0.0, cosine = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		sine += tangent[k] * side[k];
		cosine += tangent[k] * front[k];
	}
	if ( sine * sine + cosine * cosine < 1e-12 ) return false;
	double half = 0.5 * atan2( sine, cosine ), s = sin( half ), c = cos( half );
	const double turn[4] = { s * n[0], s * n[1], s * n[2], c }; // about n, after q
	q[0] = turn[3] * x + w * turn[0] + turn[1] * z - turn[2] * y;
	q[1] = turn[3] * y + w * turn[1] + turn[2] * x - turn[0] * z;
	q[2] = turn[3] * z + w * turn[2] + turn[0] * y - turn[1] * x;
	q[3] = turn[3] * w - turn[0] * x - turn[1] * y - turn[2] * z;
	return true;
}

static bool ReadRotation( gelJsonReader* json, const json_t* value, gelBakeAttachment* out )
{
	double normal[3], tangent[3];
	bool hasRotation, hasNormal, hasTangent;
	if ( !ReadMember( json, value, "rotation", 4, out->rotation, &hasRotation ) ||
		!ReadMember( json, value, "normal", 3, normal, &hasNormal ) ||
		!ReadMember( json, value, "tangent", 3, tangent, &hasTangent ) )
		return false;
	if ( hasRotation && hasNormal )
		return gelJson_FailMember( json, "normal", "has no meaning with a \"rotation\"" );
	if ( hasTangent && !hasNormal )
		return gelJson_FailMember( json, "tangent", "has no meaning without a \"normal\"" );
	if ( hasRotation && !Normalize( out->rotation, 4 ) )
		return gelJson_FailMember( json, "rotation", "has to be a quaternion x, y, z, w that is not zero" );
	if ( hasNormal && !Normalize( normal, 3 ) )
		return gelJson_FailMember( json, "normal", "has to be a direction, not zero" );
	bool ok = !hasTangent || Normalize( tangent, 3 );
	ok = ok && ( !hasNormal || MakeRotation( normal, hasTangent ? tangent : NULL, out->rotation ) );
	return ok ||
		gelJson_FailMember( json, "tangent", "has to be a direction other than that of the \"normal\"" );
}

bool gelReadAttachment(
	gelJsonReader* json, const char* name, const json_t* value, gelBakeAttachment* outPoint )
{
	*outPoint = ( gelBakeAttachment ){ .rotation = { 0.0, 0.0, 0.0, 1.0 } };
	const char* fault = FindNameFault( name );
	if ( fault != NULL ) return gelJson_Fail( json, "%s", fault );
	memcpy( outPoint->name, name, strlen( name ) );
	if ( json_is_array( value ) ) return ReadNumbers( json, value, 3, outPoint->position );
	if ( !json_is_object( value ) )
		return gelJson_Fail( json, "it has to be a place [x, y, z], or an object with a \"position\"" );
	bool hasPosition;
	if ( !gelJson_CheckKeys( json, value, "position rotation normal tangent radius" ) ||
		!ReadMember( json, value, "position", 3, outPoint->position, &hasPosition ) )
		return false;
	if ( !hasPosition ) return gelJson_Fail( json, "\"position\" is missing" );
	if ( !ReadRotation( json, value, outPoint ) ) return false;
	Normalize( outPoint->rotation, 4 ); // once more: to the last bit
	return gelJson_Number( json, value, "radius", 0.0, MAX_REACH, &outPoint->radius );
}

// ---- nodes of the art -----------------------------------------------------------------------------------

bool gelIsAttachmentName( const char* name )
{
	const size_t length = sizeof( GEL_ATTACHMENT_PREFIX ) - 1;
	return strncasecmp( name, GEL_ATTACHMENT_PREFIX, length ) == 0 && name[length] != 0;
}

static bool FailNode( const gelMeshPoint* node, const char* file, const char* text, gelFindings* findings )
{
	gelFindings_Add( findings, gel_findingArtSettingsWrong, file, "node \"%.60s\": %s", node->name, text );
	return false;
}

// The name that a node gives its point; NULL: it is none. False: the extras make no sense.
static bool FindNodeName( const gelMeshPoint* node, const json_t* extras, const char** outName )
{
	const json_t* mark = json_object_get( extras, GEL_ATTACHMENT_EXTRA );
	bool isNamed = gelIsAttachmentName( node->name );
	*outName = isNamed ? node->name + sizeof( GEL_ATTACHMENT_PREFIX ) - 1 : NULL;
	if ( mark == NULL ) return true;
	double number = json_is_number( mark ) ? json_number_value( mark ) : json_is_true( mark ) ? 1.0 : 0.0;
	if ( json_is_string( mark ) )
		*outName = json_string_value( mark );
	else if ( !json_is_number( mark ) && !json_is_boolean( mark ) )
		return false;
	else if ( number == 0.0 )
		*outName = NULL;
	else if ( !isNamed )
		*outName = node->name;
	return json_is_string( mark ) || number == 0.0 || number == 1.0;
}

static bool ReadNode( const gelMeshPoint* node, const json_t* extras, const char* file, gelFindings* findings,
	gelBakeAttachment* out )
{
	const char* name;
	*out = ( gelBakeAttachment ){ 0 };
	if ( !FindNodeName( node, extras, &name ) )
		return FailNode( node, file,
			"extras." GEL_ATTACHMENT_EXTRA ": it has to be true or false, 1 or 0, or the name of the point",
			findings );
	if ( name == NULL ) return true;
	const char* fault = FindNameFault( name );
	if ( fault != NULL ) return FailNode( node, file, fault, findings );
	memcpy( out->name, name, strlen( name ) );
	memcpy( out->position, node->position, sizeof( out->position ) );
	memcpy( out->rotation, node->rotation, sizeof( out->rotation ) );
	const json_t* radius = json_object_get( extras, GEL_RADIUS_EXTRA );
	out->radius = json_number_value( radius );
	if ( ( radius != NULL && !json_is_number( radius ) ) || !IsInReach( out ) )
		return FailNode( node, file,
			"an attachment point has to be within +-1e9 m, extras." GEL_RADIUS_EXTRA " within 0 to 1e9 m",
			findings );
	if ( !Normalize( out->rotation, 4 ) )
		return FailNode( node, file,
			"its scale is zero, so the axes of the attachment point have no direction", findings );
	return Normalize( out->rotation, 4 ); // once more: to the last bit
}

bool gelReadArtAttachments(
	const gelMesh* mesh, const char* file, gelBakePool* pool, gelFindings* findings, gelValueList* inout )
{
	gelValueList own = { NULL, 0 };
	bool ok = true;
	for ( uint32_t i = 0; i < mesh->pointCount && ok; ++i )
	{
		gelBakeAttachment point;
		const gelMeshPoint* node = mesh->points + i;
		json_t* extras = node->extras != NULL ? json_loads( node->extras, JSON_DECODE_ANY, NULL ) : NULL;
		ok = ReadNode( node, extras, file, findings, &point );
		json_decref( extras );
		if ( !ok || point.name[0] == 0 ) continue;
		if ( FindName( own.items, own.count, point.name ) < own.count )
			ok = FailNode( node, file, "there is another attachment point of this name", findings );
		if ( ok && own.count == (int)GEL_PACK_MAX_ATTACHMENTS )
			ok = FailNode( node, file, "a pack holds at most 1024 attachment points", findings );
		if ( ok ) gelAppendValue( &own, &point, sizeof( point ), pool );
	}
	for ( int i = 0; i < own.count && ok; ++i )
		gelAppendValue( inout, (const gelBakeAttachment*)own.items + i, sizeof( gelBakeAttachment ), pool );
	return ok;
}
