// SPDX-License-Identifier: MIT
// What the parser of options (options.c) cannot read by itself: lists, boxes, points, paint rules and
// particles. It collects their texts, and this file turns them into values of the table's types, once.
#include "bake/settings/setting_text.h"

#include "bake/body/paint.h"
#include "bake/settings/attachment_points.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

bool gelIsTextSetting( const gelSetting* setting )
{
	return gelIsListSetting( setting ) || setting->kind == gel_settingPaint ||
		setting->kind == gel_settingParticles;
}

static bool Fail( const gelSetting* setting, const char* text, const char* reason, gelFindings* findings )
{
	gelFindings_Add( findings, gel_findingUsage, NULL, "--%s %.120s%s", setting->option, text, reason );
	return false;
}

// ---- items of lists ---------------------------------------------------------------------------------------

// Six numbers with five commas, nothing more: text[length] has to be a comma exactly in front of the first
// five.
bool gelParsePinBox( const char* text, gelPinBox* out )
{
	double numbers[6];
	for ( int i = 0; i < 6; ++i )
	{
		char number[64];
		size_t length = strcspn( text, "," );
		if ( length >= sizeof( number ) || ( text[length] == ',' ) != ( i < 5 ) ) return false;
		memcpy( number, text, length );
		number[length] = 0;
		if ( !gelParseNumber( number, numbers + i ) ) return false;
		text += length + ( i < 5 );
	}
	for ( int c = 0; c < 3; ++c )
	{
		out->low[c] = fmin( numbers[c], numbers[3 + c] );
		out->high[c] = fmax( numbers[c], numbers[3 + c] );
	}
	return true;
}

static bool ParseLevel( const gelSetting* setting, const char* text, int* out )
{
	double value = 0.0;
	bool ok = gelParseNumber( text, &value ) && value == floor( value ) && value >= setting->min &&
		value <= setting->max;
	*out = ok ? (int)value : 0;
	return ok;
}

// One item of a list. @return what is wrong with it, or NULL
static const char* ParseItem(
	const gelSetting* setting, const char* text, const gelBakeRequest* request, void* out, char reason[160] )
{
	const char* fault = NULL;
	const gelValueList* levels = &request->levels;
	int tets = request->cagePath != NULL ? (int)setting->max : request->targetTets;
	switch ( setting->kind )
	{
		case gel_settingLevels:
			snprintf( reason, 160,
				" is not a number of tets from %g on and below that of the level before it, %d", setting->min,
				levels->count > 0 ? ( (const int*)levels->items )[levels->count - 1] : tets );
			return ParseLevel( setting, text, out ) ? NULL : reason;
		case gel_settingSteps:
			return gelParseNumber( text, out ) ? NULL : " is not a number such as 0.01 or 1/60";
		case gel_settingBoxes:
			return gelParsePinBox( text, out ) ? NULL : " does not have the form X0,Y0,Z0,X1,Y1,Z1";
		default:
			GEL_ASSERT( setting->kind == gel_settingPoints );
			fault = gelParseAttachment( text, out );
			snprintf( reason, 160, ": %s", fault != NULL ? fault : "" );
			return fault != NULL ? reason : NULL;
	}
}

// The command line has no name twice.
static bool IsKnownPoint( const gelValueList* list, const gelBakeAttachment* point )
{
	const gelBakeAttachment* points = list->items;
	for ( int i = 0; i < list->count; ++i )
	{
		if ( strcmp( points[i].name, point->name ) == 0 ) return true;
	}
	return false;
}

static bool ParseList(
	const gelSetting* setting, const gelStringList* texts, gelAskedSettings* asked, gelFindings* findings )
{
	gelValueList* list = gelGetSettingValue( &asked->request, setting );
	for ( int i = 0; i < texts->count; ++i )
	{
		union
		{
			int level;
			double step;
			gelPinBox box;
			gelBakeAttachment point;
		} item = { 0 };
		char reason[160];
		const char* fault = ParseItem( setting, texts->items[i], &asked->request, &item, reason );
		if ( fault == NULL && setting->kind == gel_settingPoints && IsKnownPoint( list, &item.point ) )
			fault = ": there is another of this name";
		if ( fault != NULL ) return Fail( setting, texts->items[i], fault, findings );
		gelAppendValue( list, &item, gelGetSettingBytes( setting ), &asked->pool );
	}
	return true;
}

// ---- paint ------------------------------------------------------------------------------------------------

static bool FailRule( const char* text, const char* reason, gelFindings* findings )
{
	gelFindings_Add( findings, gel_findingUsage, NULL, "--paint %.80s: %s", text, reason );
	return false;
}

// "1e4:1e6:log"
static bool ParseRange( const char* text, gelPaintRule* rule )
{
	char numbers[2][64];
	for ( int i = 0; i < 2; ++i )
	{
		size_t length = strcspn( text, ":" );
		// The first number has to be followed by a colon; the second may end the text.
		if ( length >= sizeof( numbers[i] ) || ( i == 0 && text[length] == 0 ) ) return false;
		memcpy( numbers[i], text, length );
		numbers[i][length] = 0;
		text += length + ( text[length] == ':' );
	}
	rule->hasRange = true;
	rule->isLog = strcmp( text, "log" ) == 0;
	return ( rule->isLog || text[0] == 0 ) && gelParseNumber( numbers[0], &rule->low ) &&
		gelParseNumber( numbers[1], &rule->high );
}

static bool CheckRange( const char* text, const gelPaintRule* rule, gelPaintKind kind, gelFindings* findings )
{
	char reason[120];
	bool ok = kind == gel_paintPin ? !rule->hasRange
								   : !rule->hasRange ||
			( rule->low >= GEL_ABOVE_ZERO && rule->high >= GEL_ABOVE_ZERO &&
				rule->low <= gelPaintKinds[kind].max && rule->high <= gelPaintKinds[kind].max );
	if ( ok ) return true;
	snprintf( reason, sizeof( reason ),
		kind == gel_paintPin ? "pins have no range" : "LOW and HIGH have to be above 0 and at most %g",
		gelPaintKinds[kind].max );
	return FailRule( text, reason, findings );
}

static bool ParseRule( const char* text, gelFindings* findings, gelPaintRules* out )
{
	size_t nameLength = strcspn( text, "=" );
	int kind = 0;
	while ( kind < gel_paintKindCount &&
		( strlen( gelPaintKinds[kind].name ) != nameLength ||
			strncmp( gelPaintKinds[kind].name, text, nameLength ) != 0 ) )
		kind += 1;
	if ( kind == gel_paintKindCount || text[nameLength] == 0 )
		return FailRule( text, "it starts with stiffness=, density= or pin=, or is none", findings );
	gelPaintRule* rule = out->rules + kind;
	const char* channel = text + nameLength + 1;
	size_t length = strcspn( channel, ":" );
	if ( rule->isGiven ) return FailRule( text, "there are two of a kind", findings );
	rule->isGiven = true;
	snprintf( rule->channel, sizeof( rule->channel ), "%.*s", (int)( length < 63 ? length : 63 ), channel );
	if ( length > 63 || !gelIsPaintChannel( rule->channel ) )
		return FailRule( text,
			"a channel is color.r, color.g, color.b, color.a, or an attribute such as _STIFFNESS", findings );
	if ( channel[length] == ':' && !ParseRange( channel + length + 1, rule ) )
		return FailRule( text, "behind the channel there is :LOW:HIGH or :LOW:HIGH:log", findings );
	return CheckRange( text, rule, (gelPaintKind)kind, findings );
}

static bool ParsePaint( const gelStringList* texts, gelFindings* findings, gelPaintRules* out )
{
	*out = ( gelPaintRules ){ 0 };
	for ( int i = 0; i < texts->count; ++i )
	{
		if ( strcmp( texts->items[i], "none" ) == 0 )
			out->isOff = true;
		else if ( !ParseRule( texts->items[i], findings, out ) )
			return false;
	}
	if ( out->isOff && texts->count > 1 ) return FailRule( "none", "it stands alone", findings );
	return true;
}

// ---- particles ------------------------------------------------------------------------------------------

// "60", "auto", "rod:20"
static bool ParseParticles(
	const gelSetting* setting, const char* text, gelFindings* findings, gelParticleSettings* out )
{
	size_t length = strcspn( text, ":" );
	int kind = 0, index = gel_particlesAuto;
	for ( const char* word = setting->choices; *word != 0; ++index )
	{
		size_t wordLength = strcspn( word, "|" );
		if ( wordLength == length && strncmp( text, word, length ) == 0 ) kind = index;
		word += wordLength + ( word[wordLength] == '|' );
	}
	const char* number = kind == 0 ? text : text[length] == ':' ? text + length + 1 : NULL;
	double count = 0.0;
	out->kind = kind == 0 ? gel_particlesAuto : (gelParticleKind)kind;
	out->count = 0;
	if ( number == NULL ) return true;
	if ( gelParseNumber( number, &count ) && count >= setting->min && count <= setting->max &&
		count == floor( count ) )
	{
		out->count = (int)count;
		return true;
	}
	char reason[200];
	snprintf( reason, sizeof( reason ),
		" is not a number from %.0f to %.0f, nor auto, solid, sheet or rod with such a number behind a colon",
		setting->min, setting->max );
	return Fail( setting, text, reason, findings );
}

// ---- options --------------------------------------------------------------------------------------------

bool gelParseSetting(
	const gelSetting* setting, const gelStringList* texts, gelAskedSettings* asked, gelFindings* findings )
{
	GEL_ASSERT( gelIsTextSetting( setting ) );
	if ( texts->count == 0 ) return true;
	const char* last = texts->items[texts->count - 1];
	bool isNone = strcmp( last, "none" ) == 0;
	if ( setting->kind == gel_settingPaint ) return ParsePaint( texts, findings, &asked->request.paint );
	if ( setting->kind == gel_settingParticles )
		return isNone || ParseParticles( setting, last, findings, &asked->request.settings.particles );
	if ( !isNone || texts->count > 1 ) return ParseList( setting, texts, asked, findings );
	// points of others are merged, so this one has to be kept in mind
	if ( setting->kind == gel_settingPoints ) gelCloseOption( asked, setting->option );
	return true;
}
