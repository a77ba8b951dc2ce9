// SPDX-License-Identifier: MIT
// Why no hit is ever lost. Let P be a hit as computed: a convex combination of three computed vertices, at a
// distance t. P is within `slack` of the point of the trace at t, because the test of the triangle is exact
// but for the rounding of sheared coordinates; and its weights are within rounding of the stored intervals.
// So each slab, widened by slack (in a cell: times the gradient of the weight), contains t by itself,
// whatever the other axes say. Hence the entry of the node is at most t and its exit at least t. Errors, in
// units of 2^-24 M for coordinates up to M: vertex 4 + 4, shear 2 + 2 + 4, three times that on a diagonal
// axis, and as much again for the projections of the trace itself: below 128.
#include "surface_query.h"

// Directions below this are taken as this: the distances that come out are beyond any other, but finite.
#define GEL_TINY_DIRECTION 1.0e-20f

// Relative to weights of 1: rounding of the weights of a trace and of distances inside a cell.
#define GEL_WEIGHT_SLACK 1.0e-6

// A cell so flat that rounding moves weights by this is searched triangle by triangle.
#define GEL_FLAT_CELL 0.25

// A patch of 2^29 triangles has 30 levels.
#define GEL_TREE_STACK 32

// What a search keeps.
typedef struct Search
{
	const gelBody* body;
	const gelPackView* pack;
	const gelBodyRay* ray;
	gelRayFaces faces;
	bool counts; // crossings, instead of looking for the nearest hit
	int winding;
	gelSurfaceHit best;
	float limit; // no node that starts beyond this distance matters
} Search;

// A cell as the ray sees it. Weights are in units of 1/256, as stored, and distances from `base` on.
typedef struct CellView
{
	gelVec3 x[4];
	float base;
	float originLow[4], originHigh[4], inverse[4];
} CellView;

static inline float Min( float a, float b )
{
	return a < b ? a : b;
}

static inline float Max( float a, float b )
{
	return a > b ? a : b;
}

static float InverseDirection( float d )
{
	if ( fabsf( d ) < GEL_TINY_DIRECTION )
		return d < 0.0f ? -1.0f / GEL_TINY_DIRECTION : 1.0f / GEL_TINY_DIRECTION;
	return 1.0f / d;
}

// ---- rays --------------------------------------------------------------------------------------------

// The part of the ray inside of a box, in distances. False: none.
static bool ClipToBox(
	const double o[3], const double d[3], const gelDop* box, double slack, double* near, double* far )
{
	for ( int k = 0; k < 3; ++k )
	{
		double low = (double)box->low[k] - slack, high = (double)box->high[k] + slack;
		if ( d[k] == 0.0 )
		{
			if ( o[k] < low || o[k] > high ) return false;
			continue;
		}
		double a = ( low - o[k] ) / d[k], b = ( high - o[k] ) / d[k];
		*near = fmax( *near, fmin( a, b ) );
		*far = fmin( *far, fmax( a, b ) );
	}
	return *near <= *far;
}

static gelTrace MakeTrace( const double o[3], const double d[3], double length )
{
	int kz = fabs( d[0] ) > fabs( d[1] ) ? ( fabs( d[0] ) > fabs( d[2] ) ? 0 : 2 )
										 : ( fabs( d[1] ) > fabs( d[2] ) ? 1 : 2 );
	int kx = ( kz + 1 ) % 3, ky = ( kz + 2 ) % 3;
	gelTrace trace = {
		.origin = { (float)o[0], (float)o[1], (float)o[2] },
		.direction = { (float)d[0], (float)d[1], (float)d[2] },
		.maxDistance = (float)length,
		.kz = kz,
	};
	trace.signZ = d[kz] < 0.0 ? -1.0f : 1.0f;
	trace.kx = d[kz] < 0.0 ? ky : kx;
	trace.ky = d[kz] < 0.0 ? kx : ky;
	trace.shearX = gelComponent( trace.direction, trace.kx ) * trace.signZ; // the direction's z is signZ
	trace.shearY = gelComponent( trace.direction, trace.ky ) * trace.signZ;
	return trace;
}

static void MakeSlabs( gelBodyRay* ray )
{
	float o[8], d[8];
	gelProjectOnDop( ray->trace.origin, o );
	gelProjectOnDop( ray->trace.direction, d );
	for ( int k = 0; k < 8; ++k )
	{
		ray->originLow[k] = o[k] + ray->slack;
		ray->originHigh[k] = o[k] - ray->slack;
		ray->inverse[k] = InverseDirection( d[k] );
	}
}

bool gelMakeBodyRay( const gelBody* body, const gelRay* ray, double maxFraction, gelBodyRay* out )
{
	const gelDop* box = body->coarse;
	const float t[3] = { ray->translation.x, ray->translation.y, ray->translation.z };
	double o[3] = { ray->origin.x - body->origin[0], ray->origin.y - body->origin[1],
		ray->origin.z - body->origin[2] };
	double d[3], magnitude = 0.0;
	out->unit = fmax( fabs( (double)t[0] ), fmax( fabs( (double)t[1] ), fabs( (double)t[2] ) ) );
	for ( int k = 0; k < 3; ++k )
	{
		d[k] = (double)t[k] / out->unit;
		magnitude = fmax( magnitude, fmax( fabs( (double)box->low[k] ), fabs( (double)box->high[k] ) ) );
	}
	double slack = 128.0 * 0x1p-24 * magnitude;
	double near = 0.0, far = maxFraction * out->unit;
	if ( !ClipToBox( o, d, box, 2.0 * slack, &near, &far ) ) return false;
	for ( int k = 0; k < 3; ++k )
		o[k] += near * d[k];
	out->start = near;
	out->slack = (float)slack;
	out->trace = MakeTrace( o, d, far - near );
	MakeSlabs( out );
	return true;
}

// ---- triangles ---------------------------------------------------------------------------------------

static void VisitTriangle( Search* s, const CellView* cell, uint32_t triangle )
{
	const uint32_t* w = s->pack->cdgTriangles + (size_t)s->pack->cdgTriangleWords * triangle;
	uint32_t mask = s->pack->cdgTriangleWords == GEL_CDG_WIDE_WORDS ? 0x7FFFFFFFu : GEL_CDG_NARROW_NIL;
	gelVec3 v[3];
	for ( int k = 0; k < 3; ++k )
		v[k] = gelDeformVertex( s->pack->cdgWeights, w[k] & mask, cell->x );
	if ( s->counts )
	{
		s->winding += gelCrossTriangle( &s->ray->trace, v );
		return;
	}
	gelTriangleHit hit;
	if ( !gelHitTriangle( &s->ray->trace, v, &hit ) ) return;
	if ( s->faces != gel_facesBoth && hit.isBackFace != ( s->faces == gel_facesBack ) ) return;
	bool isNearer = hit.distance < s->best.at.distance ||
		( hit.distance == s->best.at.distance && triangle < s->best.triangle );
	if ( s->best.triangle != GEL_CDG_NIL && !isNearer ) return;
	s->best = ( gelSurfaceHit ){ triangle, hit };
	s->limit = (float)hit.distance * ( 1.0f + 0x1p-22f ); // not below the distance itself
}

static void VisitAllOfCell( Search* s, const CellView* view, const gelPackCell* cell )
{
	const gelPackPatch* patch = s->pack->patches + cell->patchFirst;
	for ( uint32_t i = 0; i < cell->patchCount; ++i, ++patch )
	{
		for ( uint32_t t = 0; t < patch->triangleCount; ++t )
			VisitTriangle( s, view, patch->triangleFirst + t );
	}
}

// ---- trees of patches --------------------------------------------------------------------------------

// The ray in the weights of a cell, from the distance base on. False: the cell is too flat for that.
static bool MakeCellView( const Search* s, const gelPackCell* cell, float base, CellView* view )
{
	gelGetCellNodes( s->body, cell, view->x );
	view->base = base;
	double e[3][3], o[3], d[3];
	const gelVec3 *origin = &s->ray->trace.origin, *direction = &s->ray->trace.direction, *x = view->x;
	for ( int k = 0; k < 3; ++k )
	{
		e[k][0] = (double)x[k + 1].x - (double)x[0].x;
		e[k][1] = (double)x[k + 1].y - (double)x[0].y;
		e[k][2] = (double)x[k + 1].z - (double)x[0].z;
	}
	d[0] = (double)direction->x;
	d[1] = (double)direction->y;
	d[2] = (double)direction->z;
	o[0] = (double)origin->x + (double)base * d[0] - (double)x[0].x;
	o[1] = (double)origin->y + (double)base * d[1] - (double)x[0].y;
	o[2] = (double)origin->z + (double)base * d[2] - (double)x[0].z;

	// g[k] / det is the gradient of weight k + 1
	double g[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		const double *p = e[( k + 1 ) % 3], *q = e[( k + 2 ) % 3];
		g[k][0] = p[1] * q[2] - p[2] * q[1];
		g[k][1] = p[2] * q[0] - p[0] * q[2];
		g[k][2] = p[0] * q[1] - p[1] * q[0];
	}
	double det = e[0][0] * g[0][0] + e[0][1] * g[0][1] + e[0][2] * g[0][2];
	double inv = 1.0 / det, slack = (double)s->ray->slack;
	double sumO = 0.0, sumD = 0.0, sum[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 3; i >= 0; --i )
	{
		double wo, wd, steep;
		if ( i > 0 )
		{
			const double* h = g[i - 1];
			wo = ( h[0] * o[0] + h[1] * o[1] + h[2] * o[2] ) * inv;
			wd = ( h[0] * d[0] + h[1] * d[1] + h[2] * d[2] ) * inv;
			steep = ( fabs( h[0] ) + fabs( h[1] ) + fabs( h[2] ) ) * fabs( inv );
			sumO += wo;
			sumD += wd;
			for ( int k = 0; k < 3; ++k )
				sum[k] += h[k];
		}
		else
		{
			wo = 1.0 - sumO;
			wd = -sumD;
			steep = ( fabs( sum[0] ) + fabs( sum[1] ) + fabs( sum[2] ) ) * fabs( inv );
		}
		double pad = slack * steep + GEL_WEIGHT_SLACK * ( 1.0 + fabs( wo ) );
		if ( !( pad < GEL_FLAT_CELL ) ) return false; // also when det is 0
		view->originLow[i] = (float)( 256.0 * ( wo + pad ) );
		view->originHigh[i] = (float)( 256.0 * ( wo - pad ) - 1.0 );
		view->inverse[i] = InverseDirection( (float)( 256.0 * wd ) );
	}
	return true;
}

// Distance behind base at which the ray enters an interval of weights; INFINITY: it does not before the
// limit.
static inline float EnterBounds( const CellView* view, uint32_t low, uint32_t high, float limit )
{
	float near[4], far[4];
	for ( int k = 0; k < 4; ++k )
	{
		float a = ( (float)(int)( low >> 8 * k & 0xFFu ) - view->originLow[k] ) * view->inverse[k];
		float b = ( (float)(int)( high >> 8 * k & 0xFFu ) - view->originHigh[k] ) * view->inverse[k];
		near[k] = Min( a, b );
		far[k] = Max( a, b );
	}
	float in = Max( Max( near[0], near[1] ), Max( Max( near[2], near[3] ), 0.0f ) );
	float out = Min( Min( far[0], far[1] ), Min( Min( far[2], far[3] ), limit ) );
	return in <= out ? in : INFINITY;
}

static inline float EnterNode( const Search* s, const CellView* view, uint32_t triangle )
{
	const uint32_t* w = s->pack->cdgTriangles + (size_t)s->pack->cdgTriangleWords * triangle;
	uint32_t low, high;
	if ( s->pack->cdgTriangleWords == GEL_CDG_WIDE_WORDS )
	{
		low = w[6];
		high = w[7];
	}
	else
	{
		low = w[0] >> 21 | w[1] >> 21 << 11 | w[2] >> 21 << 22;
		high = w[2] >> 31 | w[3] >> 21 << 1 | w[4] >> 21 << 12 | w[5] >> 21 << 23;
	}
	return EnterBounds( view, low, high, s->limit - view->base );
}

typedef struct TreeEntry
{
	gelCdgRange range;
	float near;
} TreeEntry;

static void VisitTree( Search* s, const CellView* view, gelCdgRange range )
{
	TreeEntry stack[GEL_TREE_STACK];
	int depth = 0;
	if ( EnterNode( s, view, range.first ) == INFINITY ) return;
	for ( ;; )
	{
		VisitTriangle( s, view, range.first );
		gelCdgRange left, right;
		gelCdgRange_Split( range, &left, &right );
		float nearLeft = left.first < left.end ? EnterNode( s, view, left.first ) : INFINITY;
		float nearRight = right.first < right.end ? EnterNode( s, view, right.first ) : INFINITY;
		if ( nearLeft != INFINITY && nearRight != INFINITY )
		{
			bool leftFirst = nearLeft <= nearRight;
			stack[depth++] = leftFirst ? ( TreeEntry ){ right, nearRight } : ( TreeEntry ){ left, nearLeft };
			range = leftFirst ? left : right;
			continue;
		}
		if ( nearLeft != INFINITY || nearRight != INFINITY )
		{
			range = nearLeft != INFINITY ? left : right;
			continue;
		}
		do
		{
			if ( depth == 0 ) return;
			range = stack[--depth].range;
		} while ( stack[depth].near > s->limit - view->base );
	}
}

static void VisitCell( Search* s, const gelPackCell* cell, float base )
{
	CellView view;
	if ( !MakeCellView( s, cell, base, &view ) )
	{
		VisitAllOfCell( s, &view, cell );
		return;
	}
	const gelPackPatch* patch = s->pack->patches + cell->patchFirst;
	for ( uint32_t i = 0; i < cell->patchCount; ++i, ++patch )
		VisitTree(
			s, &view, ( gelCdgRange ){ patch->triangleFirst, patch->triangleFirst + patch->triangleCount } );
}

// ---- coarse tree -------------------------------------------------------------------------------------

// Distance at which the ray enters a box, at least 0; INFINITY: it does not before the limit.
static inline float EnterBox( const gelBodyRay* ray, const gelDop* box, float limit )
{
	float near[8], far[8];
	for ( int k = 0; k < 8; ++k )
	{
		float a = ( box->low[k] - ray->originLow[k] ) * ray->inverse[k];
		float b = ( box->high[k] - ray->originHigh[k] ) * ray->inverse[k];
		near[k] = Min( a, b );
		far[k] = Max( a, b );
	}
	float in = 0.0f, out = limit;
	for ( int k = 0; k < 8; ++k )
	{
		in = Max( in, near[k] );
		out = Min( out, far[k] );
	}
	return in <= out ? in : INFINITY;
}

typedef struct CoarseEntry
{
	uint32_t node;
	float near;
} CoarseEntry;

static void VisitCoarse( Search* s )
{
	CoarseEntry stack[GEL_CDG_MAX_DEPTH + 1];
	const gelDop* boxes = s->body->coarse;
	int depth = 0;
	CoarseEntry entry = { 0, EnterBox( s->ray, boxes, s->limit ) };
	if ( entry.near == INFINITY ) return;
	for ( ;; )
	{
		const gelPackBvhNode* node = s->pack->bvh + entry.node;
		if ( node->left == GEL_CDG_NIL )
		{
			VisitCell( s, s->pack->cells + node->right, entry.near );
		}
		else
		{
			CoarseEntry a = { node->left, EnterBox( s->ray, boxes + node->left, s->limit ) };
			CoarseEntry b = { node->right, EnterBox( s->ray, boxes + node->right, s->limit ) };
			if ( b.near < a.near )
			{
				CoarseEntry c = a;
				a = b;
				b = c;
			}
			if ( b.near != INFINITY ) stack[depth++] = b;
			if ( a.near != INFINITY )
			{
				entry = a;
				continue;
			}
		}
		do
		{
			if ( depth == 0 ) return;
			entry = stack[--depth];
		} while ( entry.near > s->limit );
	}
}

static Search MakeSearch( const gelBody* body, const gelBodyRay* ray )
{
	return ( Search ){
		.body = body,
		.pack = &body->asset->pack,
		.ray = ray,
		.best = { .triangle = GEL_CDG_NIL },
		.limit = ray->trace.maxDistance * ( 1.0f + 0x1p-20f ) + ray->slack,
	};
}

gelSurfaceHit gelCastRay( const gelBody* body, const gelBodyRay* ray, gelRayFaces faces )
{
	Search search = MakeSearch( body, ray );
	search.faces = faces;
	VisitCoarse( &search );
	return search.best;
}

int gelCountWinding( const gelBody* body, const gelBodyRay* ray )
{
	Search search = MakeSearch( body, ray );
	search.counts = true;
	search.limit = INFINITY; // crossings are counted to the end of the world
	VisitCoarse( &search );
	return search.winding;
}

// ---- the slow way ------------------------------------------------------------------------------------

static void VisitAll( Search* s )
{
	for ( uint32_t i = 0; i < s->pack->header->cdgTetCount; ++i )
	{
		CellView view;
		gelGetCellNodes( s->body, s->pack->cells + i, view.x );
		VisitAllOfCell( s, &view, s->pack->cells + i );
	}
}

gelSurfaceHit gelCastRay_Ref( const gelBody* body, const gelBodyRay* ray, gelRayFaces faces )
{
	Search search = MakeSearch( body, ray );
	search.faces = faces;
	VisitAll( &search );
	return search.best;
}

int gelCountWinding_Ref( const gelBody* body, const gelBodyRay* ray )
{
	Search search = MakeSearch( body, ray );
	search.counts = true;
	VisitAll( &search );
	return search.winding;
}

uint32_t gelFindPatch( const gelPackView* pack, uint32_t triangle )
{
	uint32_t first = 0, end = pack->header->cdgPatchCount;
	while ( end - first > 1 )
	{
		uint32_t middle = first + ( end - first ) / 2;
		if ( pack->patches[middle].triangleFirst <= triangle )
			first = middle;
		else
			end = middle;
	}
	return first;
}
