// SPDX-License-Identifier: MIT
// Scenes of bodies that touch: boxes and balls with collision geometry in a world with contact.
#pragma once

#include "test_bodies.h"

#include "gelpack/gelpack.h"

#define GEL_SCENE_CAPACITY 40

/// What a body is made of. Start from gelDefaultShapeDef().
typedef struct gelShapeDef
{
	bool isBall;    // a ball of diameter size[0], in a cage of cubes around it
	int cells[3];   // cubes of the cage along each axis
	double size[3]; // sides of the cage [m]; the surface is inside of it by `inset`
	double inset;   // part of a box's size by which the surface is smaller
	double youngsModulus, poissonsRatio, density, friction;
	double dynamicFriction; // 0: the same as static
	bool pinBottom;         // the pin set: nodes at y = 0
	bool pinRim;            // the pin set: nodes at the ends of x and of z
	bool pinLeft;           // the pin set: nodes at x = 0
} gelShapeDef;

/// A box of 1 m, 3 x 3 x 3 cells, 1e5 Pa, nu 0.33, 1000 kg/m^3, friction 0.5; its lowest corner is its
/// origin.
gelShapeDef gelDefaultShapeDef( void );

typedef struct gelContactScene
{
	gelWorldId world;
	float step; // [s]
	uint8_t* packs[GEL_SCENE_CAPACITY];
	gelAsset* assets[GEL_SCENE_CAPACITY];
	int assetCount;
	gelBodyId bodies[GEL_SCENE_CAPACITY];
	int bodyCount;
} gelContactScene;

/// A world with contact. @param def NULL: gravity downwards, a ground at y = 0
gelContactScene gelMakeContactScene( const gelWorldDef* def, double step );
void gelFreeContactScene( gelContactScene* scene );

/// Bakes a shape for the step of the scene. @return index of the asset
int gelContactScene_AddShape( gelContactScene* scene, const gelShapeDef* shape );

/// A sample (examples/samples.h) as art. Start from gelDefaultSampleDef().
typedef struct gelSampleDef
{
	const char* name;
	int triangles, tets; // to aim at
	double scale;        // factor of the sample's size
	double youngsModulus, density, friction;
	void ( *paint )(
		const double centroid[3], gelBakeMaterial* material ); // material of each tet; NULL: all alike
	bool isStatic;                                             // no factors: for colliders
	bool pinBottom;                                            // the pin set: nodes in the lowest 5 %
} gelSampleDef;

/// 2000 triangles, 100 tets, natural size, 1e5 Pa, 1000 kg/m^3, friction 0.5.
gelSampleDef gelDefaultSampleDef( const char* name );

/// Makes a cage, and bakes for the step of the scene. @return index of the asset
int gelContactScene_AddSample( gelContactScene* scene, const gelSampleDef* sample );

/// @param def NULL: default; asset and pin set are filled in @return index of the body
int gelContactScene_AddBody( gelContactScene* scene, int shape, const gelBodyDef* def, gelVec3 position );

/// Steps count times; fails the running test when a step does, and when a body becomes NaN.
void gelContactScene_Step( gelContactScene* scene, int count );

/// Sums over all bodies, in double.
typedef struct gelSceneSums
{
	double mass;
	double momentum[3];                 // [kg m/s]
	double angularMomentum[3];          // about the origin of the world [kg m^2/s]
	double kinetic, elastic, potential; // [J]
} gelSceneSums;
gelSceneSums gelContactScene_Sum( const gelContactScene* scene );

/// Largest speed of a node of a body [m/s].
double gelGetFastestNode( gelBodyId bodyId );

/// Deepest contact between bodies in the last step [m].
double gelContactScene_GetDepth( const gelContactScene* scene );

/// Part of the volume of a body that lies inside of another one, by 4000 samples of its box, 0 .. 1.
double gelGetSharedPart( gelBodyId bodyId, gelBodyId otherId );

/// The largest of all pairs of a scene.
double gelContactScene_GetSharedPart( const gelContactScene* scene );
