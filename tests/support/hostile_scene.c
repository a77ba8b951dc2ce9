// SPDX-License-Identifier: MIT
#include "hostile_scene.h"

#include "test_support.h"

gelConstraintDef gelMakeHold( const gelHostileScene* scene, gelConstraintKind kind )
{
	gelConstraintDef def = gelDefaultConstraintDef();
	def.kind = kind;
	def.point = scene->point;
	def.point.tet += (int)kind;
	def.target = ( gelVec3 ){ 0.1f, 0.2f, 0.3f };
	def.stiffness = 100.0f;
	return def;
}

gelHostileScene gelMakeHostileScene( gelSolverType solver )
{
	gelHostileScene scene = { .point = { 3, { 0.25f, 0.25f, 0.25f, 0.25f } } };
	gelStageDef def = gelDefaultStageDef();
	def.world.gravity.y = -9.81f;
	def.world.hasGround = true;
	def.body.solver = gelDefaultSolverDef( solver );
	def.body.enableSleep = true;
	def.pinLeft = false;
	scene.stage = gelMakeStage( &def );
	scene.body = scene.stage.body;
	assert_true( scene.stage.nodeCount <= GEL_HOSTILE_NODES );
	gelFrameDef frameDef = gelDefaultFrameDef();
	assert_int_equal( gelCreateFrame( scene.body, &frameDef, &scene.frame ), gel_success );
	gelConstraintDef hold = gelMakeHold( &scene, gel_constraintPoint );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &scene.pin ), gel_success );
	hold = gelMakeHold( &scene, gel_constraintLine );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &scene.line ), gel_success );
	hold = gelMakeHold( &scene, gel_constraintSpring );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &scene.spring ), gel_success );
	return scene;
}
