// SPDX-License-Identifier: MIT
// The table of bake settings agrees with itself: names, defaults, META and back to the words of a command
// line.
#include "test_support.h"

#include "common/program/options.h"
#include "common/settings/setting_format.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <string.h>

static void NamesAreThereOnce( void** state )
{
	(void)state;
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const gelSetting* a = gelSettings + i;
		assert_true( a->option != NULL || a->recipe != NULL );
		assert_true( a->option == NULL || a->help != NULL );
		if ( a->option != NULL ) assert_ptr_equal( gelFindSetting( a->option ), a );
		if ( a->rival != NULL ) assert_string_equal( gelFindSetting( a->rival )->rival, a->option );
		// those that can be taken back
		gelSettingKind needed = a->needs != NULL ? gelFindSetting( a->needs )->kind : gel_settingFlag;
		assert_true( needed == gel_settingFlag || needed == gel_settingText );
		for ( int k = 0; k < i; ++k )
		{
			const gelSetting* b = gelSettings + k;
			bool isSameGroup = a->group == NULL || b->group == NULL ? a->group == b->group
																	: strcmp( a->group, b->group ) == 0;
			if ( a->recipe != NULL && b->recipe != NULL && isSameGroup )
				assert_string_not_equal( a->recipe, b->recipe );
			if ( a->meta != NULL && b->meta != NULL ) assert_string_not_equal( a->meta, b->meta );
			for ( int x = 0; x < 4; ++x )
			{
				const char *p = a->extra[x / 2].name, *q = b->extra[x % 2].name;
				if ( p != NULL && q != NULL ) assert_string_not_equal( p, q );
			}
		}
	}
}

// "[500]" at the end of the help is the value that a request starts with.
static void HelpSaysTheDefault( void** state )
{
	(void)state;
	gelBakeRequest request = gelDefaultBakeRequest();
	int compared = 0;
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		const gelSetting* setting = gelSettings + i;
		const char* bracket = setting->help != NULL ? strrchr( setting->help, '[' ) : NULL;
		char text[64];
		double said = 0.0;
		if ( bracket == NULL || ( setting->kind != gel_settingReal && setting->kind != gel_settingCount ) )
			continue;
		snprintf( text, sizeof( text ), "%.*s", (int)strcspn( bracket + 1, "]" ), bracket + 1 );
		if ( !gelParseNumber( text, &said ) ) continue;
		const void* value = gelGetSettingValue( &request, setting );
		double is = setting->kind == gel_settingReal ? *(const double*)value : *(const int*)value;
		if ( is != said ) fail_msg( "--%s: %g, not %g", setting->option, is, said );
		compared += 1;
	}
	assert_true( compared >= 8 );
	assert_int_equal( request.targetTets, gelDefaultTetrafySettings().targetTets );
	assert_true( gelFindSetting( "tets" )->min == GEL_MIN_TARGET_TETS );
	assert_true( gelFindSetting( "tets" )->max == GEL_MAX_TARGET_TETS );
}

// What META says is what an option of gel-bake can say.
static void MetaBecomesWords( void** state )
{
	(void)state;
	gelBakeSettings settings = gelDefaultBakeSettings();
	char text[GEL_SETTING_TEXT_BYTES];
	json_t* plain = gelMakeSettingsMeta( &settings );
	assert_false( gelFormatMetaSetting( gelFindSetting( "warp" ), plain, text ) );
	assert_true( gelFormatMetaSetting( gelFindSetting( "scale" ), plain, text ) );
	assert_string_equal( text, "1" );
	assert_null( json_object_get( plain, "warp" ) );
	settings.hasWarp = true;
	settings.material.youngsModulus = 2.5e5;
	settings.collision = gel_collisionCoarse;
	json_t* other = gelMakeSettingsMeta( &settings );
	assert_true( gelFormatMetaSetting( gelFindSetting( "warp" ), other, text ) );
	assert_string_equal( text, "" );
	assert_true( gelFormatMetaSetting( gelFindSetting( "young" ), other, text ) );
	assert_string_equal( text, "250000" );
	assert_string_equal( json_string_value( json_object_get( other, "collision" ) ), "coarse" );
	json_t* wrong = json_pack( "{s:i, s:s}", "warp", 1, "scale", "x" );
	assert_false( gelFormatMetaSetting( gelFindSetting( "warp" ), wrong, text ) );
	assert_false( gelFormatMetaSetting( gelFindSetting( "scale" ), wrong, text ) );
	json_decref( plain );
	json_decref( other );
	json_decref( wrong );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( NamesAreThereOnce ),
		cmocka_unit_test( HelpSaysTheDefault ),
		cmocka_unit_test( MetaBecomesWords ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
