// SPDX-License-Identifier: MIT
// Implicit shapes: a field that is negative inside, positive outside and about the distance to the
// surface [m] near it. A field is a list of layers (one for each material or kind of surface detail);
// a layer is a list of primitives that are joined, cut and blended in order.
#pragma once

#include "sample_math.h"

#include <stdbool.h>
#include <stdint.h>

#define GEL_FIELD_MAX_PRIMITIVES 2048
#define GEL_FIELD_MAX_LAYERS     24
#define GEL_FIELD_MAX_PARTS      8

typedef enum gelFieldOp
{
	gel_fieldJoin,      // union
	gel_fieldCut,       // difference
	gel_fieldIntersect, // intersection
} gelFieldOp;

typedef enum gelFieldKind
{
	gel_fieldEllipsoid, // center a, radii b, axes
	gel_fieldCone,      // from a with radius r1 to b with radius r2, round ends
	gel_fieldTorus,     // center a, ring radius r1, tube radius r2, ring about the third axis
	gel_fieldBox,       // center a, half sizes b (rounding included), rounding r1, axes
	gel_fieldPlane,     // through a; inside is against the third axis
} gelFieldKind;

typedef struct gelFieldPrimitive
{
	gelFieldKind kind;
	gelFieldOp op;
	double blend; // width of the fillet [m]
	int run;      // neighbors of one run are joined without fillet first: the links of a tube
	gelVec3d a, b;
	double r1, r2;
	gelVec3d axes[3]; // rows: world to local
} gelFieldPrimitive;

typedef enum gelDetailKind
{
	gel_detailNoise,   // soft bumps, twice the amplitude from hill to valley
	gel_detailKnobs,   // round knobs
	gel_detailStrands, // crests where the noise crosses zero, drawn out along Y: hair
} gelDetailKind;

typedef struct gelFieldDetail
{
	gelDetailKind kind;
	double amplitude;  // [m]; 0: none
	double wavelength; // [m]
} gelFieldDetail;

typedef struct gelFieldLayer
{
	int first, count; // primitives
	gelFieldOp op;
	double blend; // width of the blend with the layers before [m]
	int part;
	gelFieldDetail details[2];
	double reach; // greatest depth of the details [m]
} gelFieldLayer;

/// A region of the surface with a name (group) and a look (material).
typedef struct gelFieldPart
{
	const char* name;
	float color[4]; // linear RGBA
} gelFieldPart;

typedef struct gelField
{
	int primitiveCount, layerCount, partCount;
	gelFieldPrimitive primitives[GEL_FIELD_MAX_PRIMITIVES];
	gelFieldLayer layers[GEL_FIELD_MAX_LAYERS];
	gelFieldPart parts[GEL_FIELD_MAX_PARTS];
	uint32_t seed;
	double thinnest; // lattice spacing that still resolves the thinnest part and narrowest gap [m]

	// What the builder functions below use for the next primitive.
	gelFieldOp op;
	double blend;
	int run;

	// Filled by gelField_Prepare: bounds, and for each cell of a grid the primitives that matter there.
	gelVec3d low, high;
	int cells[3];
	double cellSize;
	uint32_t* cellToView; // first entry in views plus 1, 0: not made yet
	uint16_t* views;
	uint32_t viewCount;
	size_t viewCapacity;
	bool outOfMemory;
} gelField;

// ---- building ----------------------------------------------------------------------------------

int gelField_AddPart( gelField* field, const char* name, float red, float green, float blue );
/// Starts a layer; primitives that follow belong to it.
gelFieldLayer* gelField_AddLayer( gelField* field, int part, gelFieldOp op, double blend );
void gelField_SetBlend( gelField* field, gelFieldOp op, double blend );
void gelField_AddBall( gelField* field, gelVec3d center, double radius );
/// Rotation: about X, then Y, then Z [degrees].
void gelField_AddEllipsoid( gelField* field, gelVec3d center, gelVec3d radii, gelVec3d rotation );
void gelField_AddCone( gelField* field, gelVec3d a, double r1, gelVec3d b, double r2 );
void gelField_AddTorus( gelField* field, gelVec3d center, double ring, double tube, gelVec3d axis );
void gelField_AddBox(
	gelField* field, gelVec3d center, gelVec3d halfSizes, double rounding, gelVec3d rotation );
/// Inside is where dot( normal, x - point ) < 0.
void gelField_AddPlane( gelField* field, gelVec3d point, gelVec3d normal );
/// A bent limb through the points, smooth between them (Catmull-Rom), radii in w of each point.
typedef struct gelTubePoint
{
	double x, y, z, radius;
} gelTubePoint;
void gelField_AddTube( gelField* field, const gelTubePoint* points, int count, int steps );
/// Doubles the last count primitives, mirrored at x = 0.
void gelField_Mirror( gelField* field, int count );

// ---- use ---------------------------------------------------------------------------------------

/// To be called once after building. Detail that edges of this length [m] cannot carry is faded out.
bool gelField_Prepare( gelField* field, double edgeLength );
/// Frees what Prepare made.
void gelField_Release( gelField* field );

double gelField_Evaluate( gelField* field, gelVec3d p );
gelVec3d gelField_Gradient( gelField* field, gelVec3d p );
/// The part of the layer that makes the surface here, details left out: borders are to be smooth lines.
int gelField_PartAt( gelField* field, gelVec3d p );
/// True when the surface certainly does not pass within radius [m] of p.
bool gelField_IsClear( const gelField* field, gelVec3d p, double radius );
/// The same from the value of the field at a point.
bool gelField_IsFar( const gelField* field, double value, double radius );
