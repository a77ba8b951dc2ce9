// SPDX-License-Identifier: MIT
// Evaluation of implicit shapes. Formulas of the primitives: I. Quilez, "Distance functions"; blending:
// the quadratic polynomial smooth minimum from the same place, which leaves both operands untouched, bit
// for bit, where they differ by at least the blend width. That is what lets a grid cell forget all
// primitives that are too far away to matter.
//
// Distances are negative inside [m]. A field is layers, combined one after the other; a layer is runs of
// primitives, combined likewise; a run is the links of one tube, whose least distance counts (a blend between
// links would thicken the tube at its joints).
//
//     field = layer 0 (body, with noise)  join  layer 1 (eyes)  cut  layer 2 (mouth) ...
//     layer = run 0 (trunk)  join, blended  run 1 (arm: links 3 .. 9)  join ...
#include "sample_field.h"

#include "common/program/memory.h"

#include <stdlib.h>
#include <string.h>

#define FAR_AWAY 1.0e3 // [m]

// Ellipsoids are not exact distances; their slope stays below this near the surfaces that matter.
#define MAX_SLOPE 1.3

#define MAX_RUN 256 // links of a tube

typedef struct Interval
{
	double low, high;
} Interval;

static double SmoothMin( double a, double b, double k )
{
	double least = a < b ? a : b;
	// 0 from k on: beyond that the smaller one comes out unchanged, to the bit.
	double h = k - fabs( a - b );
	return h > 0.0 ? least - 0.25 * h * h / k : least;
}

static double Combine( gelFieldOp op, double a, double b, double k )
{
	switch ( op )
	{
		case gel_fieldJoin:
			return SmoothMin( a, b, k );
		case gel_fieldCut:
			return -SmoothMin( -a, b, k );
		default:
			return -SmoothMin( -a, -b, k );
	}
}

static gelVec3d ToLocal( const gelFieldPrimitive* s, gelVec3d p )
{
	gelVec3d d = gelSubD( p, s->a );
	return gelMakeVec3d( gelDotD( s->axes[0], d ), gelDotD( s->axes[1], d ), gelDotD( s->axes[2], d ) );
}

static double EllipsoidDistance( const gelFieldPrimitive* s, gelVec3d p )
{
	gelVec3d q = ToLocal( s, p );
	gelVec3d r = s->b;
	double least = r.x < r.y ? r.x : r.y;
	least = least < r.z ? least : r.z;
	if ( r.x == r.y && r.y == r.z ) return gelLengthD( q ) - r.x;
	gelVec3d u = gelMakeVec3d( q.x / r.x, q.y / r.y, q.z / r.z );
	double k0 = gelLengthD( u );
	double k1 = gelLengthD( gelMakeVec3d( u.x / r.x, u.y / r.y, u.z / r.z ) );
	// Around the center the quotient has no limit; deeper than the least radius nothing is of interest.
	double distance = k1 > 0.0 ? k0 * ( k0 - 1.0 ) / k1 : -least;
	return distance < -least ? -least : distance;
}

static double ConeDistance( const gelFieldPrimitive* s, gelVec3d p )
{
	gelVec3d ba = gelSubD( s->b, s->a );
	gelVec3d pa = gelSubD( p, s->a );
	double l2 = gelDotD( ba, ba );
	double rr = s->r1 - s->r2;
	double a2 = l2 - rr * rr;
	double y = gelDotD( pa, ba ), z = y - l2;
	gelVec3d across = gelSubD( gelScaleD( l2, pa ), gelScaleD( y, ba ) );
	double x2 = gelDotD( across, across );
	double y2 = y * y * l2, z2 = z * z * l2;
	double k = ( rr > 0.0 ? rr * rr : -rr * rr ) * x2;
	// Beyond the ball at b, before the ball at a, or beside the cone between them: three regions, told apart
	// without a division.
	if ( ( z > 0.0 ? a2 * z2 : -a2 * z2 ) > k ) return sqrt( x2 + z2 ) / l2 - s->r2;
	if ( ( y > 0.0 ? a2 * y2 : -a2 * y2 ) < k ) return sqrt( x2 + y2 ) / l2 - s->r1;
	return ( sqrt( x2 * a2 / l2 ) + y * rr ) / l2 - s->r1;
}

static double TorusDistance( const gelFieldPrimitive* s, gelVec3d p )
{
	gelVec3d q = ToLocal( s, p );
	double ring = sqrt( q.x * q.x + q.y * q.y ) - s->r1;
	return sqrt( ring * ring + q.z * q.z ) - s->r2;
}

static double BoxDistance( const gelFieldPrimitive* s, gelVec3d p )
{
	gelVec3d q = ToLocal( s, p );
	double x = fabs( q.x ) - s->b.x + s->r1;
	double y = fabs( q.y ) - s->b.y + s->r1;
	double z = fabs( q.z ) - s->b.z + s->r1;
	double inner = x > y ? x : y;
	inner = inner > z ? inner : z;
	gelVec3d outer = gelMakeVec3d( x > 0.0 ? x : 0.0, y > 0.0 ? y : 0.0, z > 0.0 ? z : 0.0 );
	return gelLengthD( outer ) + ( inner < 0.0 ? inner : 0.0 ) - s->r1;
}

static double PrimitiveDistance( const gelFieldPrimitive* s, gelVec3d p )
{
	switch ( s->kind )
	{
		case gel_fieldEllipsoid:
			return EllipsoidDistance( s, p );
		case gel_fieldCone:
			return ConeDistance( s, p );
		case gel_fieldTorus:
			return TorusDistance( s, p );
		case gel_fieldBox:
			return BoxDistance( s, p );
		default:
			return gelDotD( s->axes[2], gelSubD( p, s->a ) );
	}
}

static double DetailHeight( const gelField* field, const gelFieldDetail* detail, gelVec3d p )
{
	gelVec3d q = gelScaleD( 1.0 / detail->wavelength, p );
	switch ( detail->kind )
	{
		case gel_detailNoise:
			return detail->amplitude * gelSampleNoise( q, field->seed );
		case gel_detailKnobs:
			return detail->amplitude * gelSampleKnobs( q, field->seed );
		default:
		{
			q.y *= 0.4;
			double crest = 1.0 - fabs( gelSampleNoise( q, field->seed ) );
			return detail->amplitude * crest * crest;
		}
	}
}

// Detail is carved into the layer, never put on top, and fades out in fillets: there the field is flat, and a
// little relief would move the surface far, up to holes. It is left out where it cannot matter, because noise
// costs more than all primitives together.
static double AddDetails(
	const gelField* field, const gelFieldLayer* layer, double distance, double fillet, gelVec3d p )
{
	// Four times the reach and 5 cm: far enough that the surface cannot come here, by any blend with another
	// layer.
	if ( layer->reach == 0.0 || fabs( distance ) > 4.0 * layer->reach + 0.05 || fillet >= 1.0 )
		return distance;
	double depth = 0.0;
	for ( int i = 0; i < 2; ++i )
	{
		if ( layer->details[i].amplitude > 0.0 )
			depth += layer->details[i].amplitude - DetailHeight( field, layer->details + i, p );
	}
	double t = 1.0 - fillet;
	return distance + depth * t * t * ( 3.0 - 2.0 * t );
}

// ---- which primitives matter in a ball ---------------------------------------------------------

// Both operations grow with both operands, so ends go with ends; a cut turns the second one round first.
static Interval CombineIntervals( gelFieldOp op, Interval a, Interval b, double k )
{
	Interval flipped = { -b.high, -b.low };
	Interval c = op == gel_fieldCut ? flipped : b;
	gelFieldOp same = op == gel_fieldJoin ? gel_fieldJoin : gel_fieldIntersect;
	return ( Interval ){ Combine( same, a.low, c.low, k ), Combine( same, a.high, c.high, k ) };
}

typedef enum Relevance
{
	BOTH_MATTER,
	ONLY_OLD,
	ONLY_NEW,
} Relevance;

// Intervals at least a blend width apart: one operand comes out unchanged everywhere in the ball, and the
// other can be forgotten there.
static Relevance Compare( gelFieldOp op, Interval a, Interval b, double k )
{
	switch ( op )
	{
		case gel_fieldJoin:
			return b.low >= a.high + k ? ONLY_OLD : ( a.low >= b.high + k ? ONLY_NEW : BOTH_MATTER );
		case gel_fieldCut:
			return -b.low <= a.low - k ? ONLY_OLD : BOTH_MATTER;
		default:
			return b.high <= a.low - k ? ONLY_OLD : BOTH_MATTER;
	}
}

// The links of a run that can be the nearest somewhere in the ball. @return how many there are
static int NearestOfRun( const gelField* field, int first, int end, gelVec3d p, double radius, uint16_t* out,
	Interval* outInterval )
{
	double least = FAR_AWAY;
	double distances[MAX_RUN];
	for ( int i = first; i < end; ++i )
	{
		distances[i - first] = PrimitiveDistance( field->primitives + i, p );
		least = fmin( least, distances[i - first] );
	}
	*outInterval = ( Interval ){ least - MAX_SLOPE * radius, least + MAX_SLOPE * radius };
	int count = 0;
	for ( int i = first; i < end && out != NULL; ++i )
	{
		if ( distances[i - first] - MAX_SLOPE * radius <= outInterval->high ) out[count++] = (uint16_t)i;
	}
	return count;
}

static int RunEnd( const gelField* field, const gelFieldLayer* layer, int first )
{
	int end = first + 1;
	while ( end < layer->first + layer->count && field->primitives[end].run == field->primitives[first].run )
		end += 1;
	return end;
}

// Interval of a layer in a ball; the primitives that matter go to out when it is not NULL.
static Interval LayerInterval( const gelField* field, const gelFieldLayer* layer, gelVec3d p, double radius,
	uint16_t* out, int* outCount )
{
	Interval sum = { FAR_AWAY, FAR_AWAY };
	int count = 0, end;
	for ( int i = layer->first; i < layer->first + layer->count; i = end )
	{
		const gelFieldPrimitive* s = field->primitives + i;
		end = RunEnd( field, layer, i );
		Interval own;
		int found = NearestOfRun( field, i, end, p, radius, out != NULL ? out + count : NULL, &own );
		Relevance relevance = Compare( s->op, sum, own, s->blend );
		if ( relevance == ONLY_OLD ) continue;
		if ( relevance == ONLY_NEW && out != NULL )
		{
			memmove( out, out + count, (size_t)found * sizeof( uint16_t ) );
			count = 0;
		}
		sum = CombineIntervals( s->op, sum, own, s->blend );
		count += found;
	}
	*outCount = count;
	return ( Interval ){ sum.low - layer->reach, sum.high + layer->reach };
}

bool gelField_IsClear( const gelField* field, gelVec3d p, double radius )
{
	Interval sum = { FAR_AWAY, FAR_AWAY };
	for ( int i = 0; i < field->layerCount; ++i )
	{
		int count;
		Interval own = LayerInterval( field, field->layers + i, p, radius, NULL, &count );
		sum = CombineIntervals( field->layers[i].op, sum, own, field->layers[i].blend );
	}
	return sum.low > 0.0 || sum.high < 0.0;
}

bool gelField_IsFar( const gelField* field, double value, double radius )
{
	double reach = 0.0;
	for ( int i = 0; i < field->layerCount; ++i )
		reach = fmax( reach, field->layers[i].reach );
	return fabs( value ) > MAX_SLOPE * radius + 2.0 * reach;
}

// A view is a run of numbers: layer count, then for each layer its index, primitive count, primitives.
static uint32_t BuildView( gelField* field, gelVec3d center, double radius )
{
	uint32_t most = 1 + 2 * GEL_FIELD_MAX_LAYERS + GEL_FIELD_MAX_PRIMITIVES;
	if ( !gelGrow(
			 (void**)&field->views, &field->viewCapacity, field->viewCount + most, sizeof( uint16_t ) ) )
	{
		field->outOfMemory = true;
		return 0;
	}
	uint16_t* view = field->views + field->viewCount;
	uint32_t used = 1;
	view[0] = 0;
	Interval sum = { FAR_AWAY, FAR_AWAY };
	for ( int i = 0; i < field->layerCount; ++i )
	{
		const gelFieldLayer* layer = field->layers + i;
		int count;
		Interval own = LayerInterval( field, layer, center, radius, view + used + 2, &count );
		Relevance relevance = Compare( layer->op, sum, own, layer->blend );
		if ( relevance == ONLY_OLD ) continue;
		if ( relevance == ONLY_NEW && used > 1 )
		{
			memmove( view + 3, view + used + 2, (size_t)count * sizeof( uint16_t ) );
			view[0] = 0;
			used = 1;
		}
		sum = CombineIntervals( layer->op, sum, own, layer->blend );
		view[used] = (uint16_t)i;
		view[used + 1] = (uint16_t)count;
		view[0] += 1;
		used += 2 + (uint32_t)count;
	}
	uint32_t first = field->viewCount;
	field->viewCount += used;
	return first + 1;
}

static const uint16_t* ViewAt( gelField* field, gelVec3d p )
{
	double scale = 1.0 / field->cellSize;
	int x = (int)gelSampleClamp( floor( ( p.x - field->low.x ) * scale ), 0.0, field->cells[0] - 1.0 );
	int y = (int)gelSampleClamp( floor( ( p.y - field->low.y ) * scale ), 0.0, field->cells[1] - 1.0 );
	int z = (int)gelSampleClamp( floor( ( p.z - field->low.z ) * scale ), 0.0, field->cells[2] - 1.0 );
	uint32_t* slot =
		field->cellToView + ( (size_t)z * (size_t)field->cells[1] + (size_t)y ) * (size_t)field->cells[0] + x;
	if ( *slot == 0 )
	{
		double size = field->cellSize;
		gelVec3d center =
			gelAddD( field->low, gelMakeVec3d( ( x + 0.5 ) * size, ( y + 0.5 ) * size, ( z + 0.5 ) * size ) );
		// Half of the diagonal of a cell, sqrt(3) / 2. Made when a point first falls into the cell: most
		// cells are never asked.
		*slot = BuildView( field, center, 0.87 * size );
	}
	return *slot == 0 ? NULL : field->views + *slot - 1;
}

// ---- public ------------------------------------------------------------------------------------

// Distance of the runs listed at view in order; moves view behind them. The fillet tells how much two of them
// blend here: 0 where one makes the surface alone, 1 where two are equally near.
static double EvaluatePrimitives(
	const gelField* field, const uint16_t** view, int count, gelVec3d p, double* outFillet )
{
	const uint16_t* list = *view;
	*view += count;
	double sum = FAR_AWAY, fillet = 0.0;
	for ( int i = 0; i < count; )
	{
		const gelFieldPrimitive* s = field->primitives + list[i++];
		double distance = PrimitiveDistance( s, p );
		while ( i < count && field->primitives[list[i]].run == s->run )
			distance = fmin( distance, PrimitiveDistance( field->primitives + list[i++], p ) );
		double other = s->op == gel_fieldCut ? -distance : distance;
		double excess = s->op == gel_fieldJoin ? other - sum : sum - other; // how far the old sum wins
		double own = s->blend > 0.0 ? 1.0 - fabs( excess ) / s->blend : 0.0;
		fillet = fmax( own, excess > 0.0 ? fillet : 0.0 );
		sum = Combine( s->op, sum, distance, s->blend );
	}
	*outFillet = fillet;
	return sum;
}

double gelField_Evaluate( gelField* field, gelVec3d p )
{
	const uint16_t* view = ViewAt( field, p );
	int layerCount = view != NULL ? *view++ : 0;
	double sum = FAR_AWAY;
	for ( int i = 0; i < layerCount; ++i )
	{
		const gelFieldLayer* layer = field->layers + *view++;
		int count = *view++;
		double fillet;
		double distance = EvaluatePrimitives( field, &view, count, p, &fillet );
		distance = AddDetails( field, layer, distance, fillet, p );
		sum = Combine( layer->op, sum, distance, layer->blend );
	}
	return sum;
}

int gelField_PartAt( gelField* field, gelVec3d p )
{
	const uint16_t* view = ViewAt( field, p );
	int layerCount = view != NULL ? *view++ : 0;
	int part = 0;
	double nearest = FAR_AWAY;
	for ( int i = 0; i < layerCount; ++i )
	{
		const gelFieldLayer* layer = field->layers + *view++;
		int count = *view++;
		double fillet;
		double distance = EvaluatePrimitives( field, &view, count, p, &fillet );
		for ( int j = 0; j < 2; ++j )
		{
			distance += 0.7 * layer->details[j].amplitude; // the mean depth
		}
		double other = layer->op == gel_fieldCut ? -distance : distance;
		bool wins = layer->op == gel_fieldJoin ? other < nearest : other > nearest;
		nearest = wins ? other : nearest;
		part = wins ? layer->part : part;
	}
	return part;
}

gelVec3d gelField_Gradient( gelField* field, gelVec3d p )
{
	// Four directions e with sum( e e^T ) = 4 I: gradient = sum( e f( p + h e ) ) / 4h.
	static const gelVec3d e[4] = { { 1.0, 1.0, 1.0 }, { 1.0, -1.0, -1.0 }, { -1.0, 1.0, -1.0 },
		{ -1.0, -1.0, 1.0 } };
	// A fiftieth of a millimetre: small against the finest detail, large against the rounding of distances of
	// a metre (1e-16 / 1e-5).
	const double h = 2.0e-5; // [m]
	gelVec3d sum = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < 4; ++i )
		sum = gelMulAddD( sum, gelField_Evaluate( field, gelMulAddD( p, h, e[i] ) ), e[i] );
	return gelScaleD( 0.25 / h, sum );
}

static void GrowBounds( gelField* field, gelVec3d p, double r )
{
	field->low.x = fmin( field->low.x, p.x - r );
	field->low.y = fmin( field->low.y, p.y - r );
	field->low.z = fmin( field->low.z, p.z - r );
	field->high.x = fmax( field->high.x, p.x + r );
	field->high.y = fmax( field->high.y, p.y + r );
	field->high.z = fmax( field->high.z, p.z + r );
}

static void ComputeBounds( gelField* field )
{
	field->low = gelMakeVec3d( FAR_AWAY, FAR_AWAY, FAR_AWAY );
	field->high = gelMakeVec3d( -FAR_AWAY, -FAR_AWAY, -FAR_AWAY );
	for ( int i = 0; i < field->layerCount; ++i )
	{
		const gelFieldLayer* layer = field->layers + i;
		for ( int j = layer->first; j < layer->first + layer->count; ++j )
		{
			const gelFieldPrimitive* s = field->primitives + j;
			if ( s->op != gel_fieldJoin || layer->op != gel_fieldJoin || s->kind == gel_fieldPlane ) continue;
			// A blend bulges by at most a quarter of its width; many of them meeting by a little more.
			double margin = layer->reach + 0.5 * ( s->blend + layer->blend ) + 0.01;
			double most = fmax( s->b.x, fmax( s->b.y, s->b.z ) );
			switch ( s->kind )
			{
				case gel_fieldEllipsoid:
					GrowBounds( field, s->a, most + margin );
					break;
				case gel_fieldBox:
					GrowBounds( field, s->a, gelLengthD( s->b ) + margin );
					break;
				case gel_fieldTorus:
					GrowBounds( field, s->a, s->r1 + s->r2 + margin );
					break;
				default:
					GrowBounds( field, s->a, s->r1 + margin );
					GrowBounds( field, s->b, s->r2 + margin );
					break;
			}
		}
	}
}

bool gelField_Prepare( gelField* field, double edgeLength )
{
	for ( int i = 0; i < field->layerCount; ++i )
	{
		gelFieldLayer* layer = field->layers + i;
		layer->reach = 0.0;
		for ( int j = 0; j < 2; ++j )
		{
			// Full from four edges a wavelength, gone below two.
			gelFieldDetail* detail = layer->details + j;
			// Relief that the mesh cannot show would only be noise in its normals (Nyquist: two edges a
			// wavelength).
			double fade = detail->wavelength > 0.0 ? 0.5 * detail->wavelength / edgeLength - 1.0 : 0.0;
			detail->amplitude *= gelSampleClamp( fade, 0.0, 1.0 );
			layer->reach += detail->kind == gel_detailNoise ? 2.0 * detail->amplitude : detail->amplitude;
		}
	}
	ComputeBounds( field );
	gelVec3d size = gelSubD( field->high, field->low );
	// Forty cells along the longest side: a view per cell is short then, and there are few of them.
	field->cellSize = fmax( size.x, fmax( size.y, size.z ) ) / 40.0;
	field->cells[0] = (int)( size.x / field->cellSize ) + 1;
	field->cells[1] = (int)( size.y / field->cellSize ) + 1;
	field->cells[2] = (int)( size.z / field->cellSize ) + 1;
	size_t cellCount = (size_t)field->cells[0] * (size_t)field->cells[1] * (size_t)field->cells[2];
	field->cellToView = calloc( cellCount, sizeof( uint32_t ) );
	return field->cellToView != NULL;
}

void gelField_Release( gelField* field )
{
	free( field->cellToView );
	free( field->views );
	field->cellToView = NULL;
	field->views = NULL;
	field->viewCount = 0;
	field->viewCapacity = 0;
}
