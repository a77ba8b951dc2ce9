// SPDX-License-Identifier: MIT
// The look: a translucent toy on a studio table. One warm key light with a soft shadow that takes the color
// of the body, a bright sky from above, light bounced up by the table, wrapped diffuse light and a glow
// through thin parts (both stand for scattering inside the gel), a glossy coat. Everything in linear light.
#include "preview/render/shaders.h"

#include <gelpack/asserts.h>

#include <epoxy/gl.h>

#include <stdio.h>
#include <string.h>

// clang-format off
static const char* const versionPart = "#version 330 core\n";

const char* const gelShaderPictureSettings =
	"#define LIT_TAPS 16\n"
	"#define LIT_OFFSET 0.004\n"
	"#define SKY_OFFSET 0.004\n"
	"#define THICKNESS_TAPS 12\n"
	"#define SKY_TAPS 24\n"
	"#define BLOCKER_TAPS 24\n"
	"#define SHADOW_TAPS 64\n"
	"#define OPEN_RINGS 12\n"
	"#define OPEN_SPOKES 24\n"
	"#define OPEN_GROWTH 1.42\n"
	"#define ENCODE 0\n";

// Few taps show every texel that a slanted surface shadows itself with: the offsets reach as far out as the taps and the
// diagonal of a texel of the smaller maps do.
#define LIVE_SETTINGS \
	"#define LIT_TAPS 2\n" \
	"#define LIT_OFFSET 0.012\n" \
	"#define SKY_OFFSET 0.014\n" \
	"#define THICKNESS_TAPS 2\n" \
	"#define SKY_TAPS 3\n" \
	"#define BLOCKER_TAPS 8\n" \
	"#define SHADOW_TAPS 16\n" \
	"#define OPEN_RINGS 7\n" \
	"#define OPEN_SPOKES 10\n" \
	"#define OPEN_GROWTH 1.82\n" \
	"#define ENCODE 1\n"

const char* const gelShaderLiveSettings = LIVE_SETTINGS;
const char* const gelShaderDenseSettings = LIVE_SETTINGS "#define DENSE 1\n";
const char* const gelShaderClipSettings = "#define CLIP 1\n";

#define TEXT( x )      #x
#define TEXT_OF( x )   TEXT( x )
#define DEFINE( name ) "#define " #name " " TEXT_OF( GEL_##name ) "\n"

static const char* const framePart =
	DEFINE( SKY_COLUMNS )
	DEFINE( SKY_ROWS )
	DEFINE( GROUND_RINGS )
	DEFINE( GROUND_SPOKES )
	"layout( std140 ) uniform Frame\n"
	"{\n"
	"	mat4 viewProjection;\n"
	"	mat4 lightProjection;\n"
	"	mat4 heightProjection;\n"
	"	mat4 topProjection;\n"
	"	vec4 eye;\n"
	"	vec4 toLight;\n"
	"	vec4 stage;\n"
	"	vec4 patchArea;\n"
	"	vec4 lookAhead;\n"
	"	vec4 lookRight;\n"
	"	vec4 lookUp;\n"
	"	vec4 lampRight;\n"
	"	vec4 lampUp;\n"
	"};\n"
	"uniform sampler2D shadowDepth;\n"
	"uniform sampler2D shadowTint;\n"
	"uniform sampler2D heightMap;\n"
	"uniform sampler2D groundPicture;\n"
	"uniform sampler2D groundOpen;\n"
	"uniform sampler2DShadow shadowCompare;\n"
	"uniform sampler2D topMap;\n"
	"const float pi = 3.14159265;\n"
	"const vec3 keyColor = vec3( 1.0, 0.93, 0.84 ) * 2.05;\n";

static const char* const lightPart =
	// What is seen in a direction: a bright haze at the horizon that turns bluish and deeper above.
	"const vec3 horizonColor = vec3( 0.66, 0.72, 0.78 );\n"
	"const vec3 zenithColor = vec3( 0.30, 0.44, 0.62 );\n"
	"const vec3 groundAlbedo = vec3( 0.60, 0.585, 0.57 );\n"
	"vec3 Sky( vec3 d )\n"
	"{\n"
	"	return mix( horizonColor, zenithColor, smoothstep( -0.02, 0.9, d.y ) );\n"
	"}\n"
	// Light that arrives from the upper half space on a surface that faces n, nothing in the way.
	"vec3 SkyLight( float ny )\n"
	"{\n"
	"	return mix( vec3( 0.26, 0.27, 0.29 ), vec3( 0.50, 0.58, 0.70 ), 0.5 + 0.5 * ny );\n"
	"}\n"
	// Soft shoulder above 0.7, so that highlights roll off instead of clipping to flat white.
	"vec3 Shoulder( vec3 c )\n"
	"{\n"
	"	if ( max( c.r, max( c.g, c.b ) ) <= 0.7 ) return c;\n"
	"	vec3 over = max( c - 0.7, 0.0 );\n"
	"	return min( c, 0.7 ) + 0.3 * ( 1.0 - exp( -over / 0.3 ) );\n"
	"}\n"
	// Linear light to sRGB: square roots in place of the power, off by less than a third of a step of 8 bits from 0.003
	// on.
	"vec3 Encode( vec3 c )\n"
	"{\n"
	"	vec3 a = sqrt( c ), b = sqrt( a );\n"
	"	return 0.662002687 * a + 0.684122060 * b - 0.323583601 * sqrt( b ) - 0.0225411470 * c;\n"
	"}\n"
	// Smooth colors are worked out where there are few of them, at vertices and texels, and FinishSmooth() gives them to
	// the pixels. For a window that is all of the work.
	"vec3 Prepare( vec3 c )\n"
	"{\n"
	"#if ENCODE == 1\n"
	"	return Encode( Shoulder( c ) );\n"
	"#else\n"
	"	return c;\n"
	"#endif\n"
	"}\n"
	// The studio lamp fades outwards, and the table goes over into the haze before the horizon.
	// key, open: parts of the key light and of the sky that arrive.
	"vec3 GroundColor( vec2 at, vec3 key, float open )\n"
	"{\n"
	"	vec3 light = keyColor * 0.36 * toLight.y * key + SkyLight( 1.0 ) * open;\n"
	"	vec2 d = ( at - stage.xz ) / stage.w;\n"
	"	float rr = dot( d, d );\n"
	"	vec3 c = groundAlbedo * light * ( 0.88 + 0.20 / ( 1.0 + 0.2 * rr + 0.02 * rr * rr ) );\n"
	"	return mix( c, horizonColor, smoothstep( 0.8, 9.0, sqrt( rr ) ) );\n"
	"}\n"
	// Sunflower pattern on the unit disk: even cover for any count, no grid to be seen (Vogel 1979).
	"vec2 DiskPoint( int i, int count )\n"
	"{\n"
	"	float r = sqrt( ( float( i ) + 0.5 ) / float( count ) );\n"
	"	float a = 2.39996323 * float( i );\n"
	"	return r * vec2( cos( a ), sin( a ) );\n"
	"}\n";

static const char* const outputPart =
	// Soft gradients show steps in 8 bits. Ordered noise (interleaved gradient noise, Jimenez 2014) of one step hides
	// them; it depends on the pixel only, so pictures repeat. The framebuffer encodes.
	"vec4 Finish( vec3 c )\n"
	"{\n"
	"#if ENCODE == 1\n"
	"	return vec4( Encode( Shoulder( c ) ), 1.0 );\n"
	"#else\n"
	"	vec3 s = Shoulder( c );\n"
	"	float noise = fract( 52.9829189 * fract( dot( floor( gl_FragCoord.xy ), vec2( 0.06711056, 0.00583715 ) ) ) );\n"
	"	vec3 slope = 2.2 * pow( s, vec3( 0.545 ) );\n" // derivative of sRGB to linear
	"	return vec4( s + slope * ( noise - 0.5 ) / 255.0, 1.0 );\n"
	"#endif\n"
	"}\n"
	"vec4 FinishSmooth( vec3 c )\n"
	"{\n"
	"#if ENCODE == 1\n"
	"	return vec4( c, 1.0 );\n"
	"#else\n"
	"	return Finish( c );\n"
	"#endif\n"
	"}\n";

const char* const gelShaderDepthVertex =
	"layout( location = 0 ) in vec3 position;\n"
	"uniform int side;\n" // 0: light, 1: below, 2: above
	"void main()\n"
	"{\n"
	"	mat4 m = side == 0 ? lightProjection : side == 1 ? heightProjection : topProjection;\n"
	"	gl_Position = m * vec4( position, 1.0 );\n"
	"}\n";

const char* const gelShaderTintFragment =
	"uniform vec4 color;\n"
	"out vec4 result;\n"
	"void main()\n"
	"{\n"
	"	result = vec4( color.rgb, 1.0 );\n"
	"}\n";

const char* const gelShaderPatchVertex =
	"out vec2 corner;\n"
	"void main()\n"
	"{\n"
	"	corner = vec2( gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0 );\n"
	"	gl_Position = vec4( corner, 0.0, 1.0 );\n"
	"}\n";

// Percentage closer soft shadows (Fernando 2005): the mean distance to what blocks the light sets the width
// of the filter, so a shadow is crisp where the body touches the ground and soft where it is in the air.
const char* const gelShaderGroundPictureFragment =
	"in vec2 corner;\n"
	"out vec4 result;\n"
	"const float lightTangent = 0.075;\n" // tangent of the angle under which the light's radius is seen
	"vec3 KeyLight( vec3 q )\n"
	"{\n"
	"	float depth = min( q.z, 1.0 );\n"
	"	float reach = min( lightTangent * ( 0.35 + q.z ), 0.12 );\n"
	"	float blockers = 0.0, blockerDepth = 0.0;\n"
	"	for ( int i = 0; i < BLOCKER_TAPS; ++i )\n"
	"	{\n"
	"		float z = textureLod( shadowDepth, q.xy + reach * DiskPoint( i, BLOCKER_TAPS ), 0.0 ).r;\n"
	"		float hit = z < depth - 0.002 ? 1.0 : 0.0;\n"
	"		blockers += hit;\n"
	"		blockerDepth += hit * z;\n"
	"	}\n"
	"	if ( blockers == 0.0 ) return vec3( 1.0 );\n"
	"	float gap = q.z - blockerDepth / blockers;\n"
	"	float width = clamp( lightTangent * gap, 0.0025, reach );\n"
	"	vec3 sum = vec3( 0.0 );\n"
	"	for ( int i = 0; i < SHADOW_TAPS; ++i )\n"
	"	{\n"
	"		vec2 at = q.xy + width * DiskPoint( i, SHADOW_TAPS );\n"
	"		float lit = textureLod( shadowDepth, at, 0.0 ).r < depth - 0.002 ? 0.0 : 1.0;\n"
	// A gel lets some of its own color through.
	"		vec3 tint = textureLod( shadowTint, at, 0.0 ).rgb;\n"
	"		sum += mix( 0.30 * tint * tint, vec3( 1.0 ), lit );\n"
	"	}\n"
	"	return sum / float( SHADOW_TAPS );\n"
	"}\n"
	"void main()\n"
	"{\n"
	"	vec3 p = vec3( patchArea.x, patchArea.w, patchArea.y );\n"
	"	p.xz += patchArea.z * corner;\n"
	"	vec3 key = KeyLight( 0.5 + 0.5 * ( lightProjection * vec4( p, 1.0 ) ).xyz );\n"
	"	float open = textureLod( groundOpen, 0.5 + 0.5 * corner, 0.0 ).r;\n"
	"	result = vec4( Prepare( GroundColor( p.xz, key, open ) ), 1.0 );\n"
	"}\n";

// The part of the sky that a point of the ground sees, weighted by the cosine. The bodies are taken as the
// height field h(x, z) of their lowest points. A piece dA of it at the horizontal distance r hides h^2 / (r^2
// + h^2)^2 dA / pi. On rings whose radii grow geometrically dA = r^2 dlog(r) dphi, so the sum has bounded
// terms h^2 r^2 / (r^2 + h^2)^2 <= 1/4 however close the contact is.
const char* const gelShaderGroundOpenFragment =
	"in vec2 corner;\n"
	"out vec4 result;\n"
	"const int rings = OPEN_RINGS, spokes = OPEN_SPOKES;\n"
	"const float growth = OPEN_GROWTH;\n"
	"void main()\n"
	"{\n"
	"	float span = patchArea.z;\n"
	"	float hidden = 0.0;\n"
	"	float r = 0.008 * span;\n"
	"	for ( int ring = 0; ring < rings; ++ring )\n"
	"	{\n"
	"		for ( int spoke = 0; spoke < spokes; ++spoke )\n"
	"		{\n"
	"			float a = 2.0 * pi * ( float( spoke ) + 0.618 * float( ring ) ) / float( spokes );\n"
	"			vec2 at = corner + r / span * vec2( cos( a ), sin( a ) );\n"
	"			float z = textureLod( heightMap, 0.5 + 0.5 * at, 0.0 ).r;\n"
	// Depth 0.5 is the ground itself: the map's sphere is centerd there.
	"			float h = max( ( 2.0 * z - 1.0 ) * span, 0.008 * span );\n"
	"			float s = r * r + h * h;\n"
	"			hidden += z < 1.0 ? h * h * r * r / ( s * s ) : 0.0;\n"
	"		}\n"
	"		r *= growth;\n"
	"	}\n"
	"	hidden *= 2.0 * log( growth ) / float( spokes );\n"
	"	result = vec4( clamp( 1.0 - hidden, 0.0, 1.0 ) );\n"
	"}\n";

// Rows of a grid over the whole picture, a strip for each instance.
const char* const gelShaderSkyVertex =
	"out vec3 smoothColor;\n"
	"void main()\n"
	"{\n"
	"	vec2 cell = vec2( gl_VertexID >> 1, gl_InstanceID + ( gl_VertexID & 1 ) );\n"
	"	vec2 c = 2.0 * cell / vec2( SKY_COLUMNS, SKY_ROWS ) - 1.0;\n"
	"	smoothColor = Prepare( Sky( normalize( lookAhead.xyz + c.x * lookRight.xyz + c.y * lookUp.xyz ) ) );\n"
	"	gl_Position = vec4( c, 1.0, 1.0 );\n"
	"}\n";

// Rings around the middle of the stage, a strip for each instance: narrow where the color changes, and the last one
// reaches to the horizon. They lie a hair behind the patch, which shows the same ground with what falls on it.
const char* const gelShaderFarGroundVertex =
	"out vec3 smoothColor;\n"
	"void main()\n"
	"{\n"
	"	float ring = float( gl_InstanceID + ( gl_VertexID & 1 ) ) / float( GROUND_RINGS - 1 );\n"
	"	float radius = ring > 1.0 ? 60.0 : 9.0 * ring * ( 0.4 + 0.6 * ring );\n"
	"	float angle = 2.0 * pi * float( gl_VertexID >> 1 ) / float( GROUND_SPOKES );\n"
	"	vec2 at = stage.xz + radius * stage.w * vec2( cos( angle ), sin( angle ) );\n"
	"	smoothColor = Prepare( GroundColor( at, vec3( 1.0 ), 1.0 ) );\n"
	"	gl_Position = viewProjection * vec4( at.x, patchArea.w, at.y, 1.0 );\n"
	"	gl_Position.z += 2e-5 * gl_Position.w;\n"
	"}\n";

const char* const gelShaderSmoothFragment =
	"in vec3 smoothColor;\n"
	"out vec4 result;\n"
	"void main()\n"
	"{\n"
	"	result = FinishSmooth( smoothColor );\n"
	"}\n";

const char* const gelShaderGroundVertex =
	"out vec2 place;\n"
	"void main()\n"
	"{\n"
	"	place = vec2( gl_VertexID & 1, gl_VertexID >> 1 );\n"
	"	vec2 at = patchArea.xy + patchArea.z * ( 2.0 * place - 1.0 );\n"
	"	gl_Position = viewProjection * vec4( at.x, patchArea.w, at.y, 1.0 );\n"
	"}\n";

const char* const gelShaderGroundFragment =
	"in vec2 place;\n"
	"out vec4 result;\n"
	"void main()\n"
	"{\n"
	"	result = FinishSmooth( texture( groundPicture, place ).rgb );\n"
	"}\n";

// What arrives at a point of a surface beside its normal's part, from maps. Vertices work it out where they are close
// together on the screen, else pixels do.
static const char* const arrivalPart =
	"float Lit( vec3 q )\n"
	"{\n"
	"	float sum = 0.0;\n"
	"	for ( int i = 0; i < LIT_TAPS; ++i )\n"
	"	{\n"
	"		sum += textureLod( shadowCompare, vec3( q.xy + 0.006 * DiskPoint( i, LIT_TAPS ), q.z ), 0.0 );\n"
	"	}\n"
	"	return sum / float( LIT_TAPS );\n"
	"}\n"
	// Way of the key light inside the body [m], blurred as scattering would.
	"float Thickness( vec3 q )\n"
	"{\n"
	"	float sum = 0.0;\n"
	"	for ( int i = 0; i < THICKNESS_TAPS; ++i )\n"
	"	{\n"
	"		float z = textureLod( shadowDepth, q.xy + 0.02 * DiskPoint( i, THICKNESS_TAPS ), 0.0 ).r;\n"
	"		sum += max( q.z - z, 0.0 );\n"
	"	}\n"
	// At least a hair, so that what is opaque is so up to its edges, however coarse the map.
	"	return ( sum / float( THICKNESS_TAPS ) + 0.001 ) * toLight.w;\n"
	"}\n"
	// Part of the upper sky that is not behind other parts of the bodies: like a shadow map of a lamp straight above
	// that is very wide, so a tap at a distance has to be the higher to count.
	"float OpenSky( vec3 p )\n"
	"{\n"
	"	vec3 q = 0.5 + 0.5 * ( topProjection * vec4( p, 1.0 ) ).xyz;\n"
	"	float hidden = 0.0;\n"
	"	for ( int i = 0; i < SKY_TAPS; ++i )\n"
	"	{\n"
	"		vec2 o = 0.11 * DiskPoint( i, SKY_TAPS );\n"
	"		float above = q.z - textureLod( topMap, q.xy + o, 0.0 ).r - 0.7 * length( o );\n"
	"		hidden += smoothstep( 0.0, 0.10, above );\n"
	"	}\n"
	"	return 1.0 - hidden / float( SKY_TAPS );\n"
	"}\n"
	// Key light; its way inside the body [m]; sky that the ground below sees; sky that is seen from here.
	"vec4 Arrival( vec3 p, vec3 n )\n"
	"{\n"
	"	vec3 q = 0.5 + 0.5 * ( lightProjection * vec4( p + LIT_OFFSET * toLight.w * n, 1.0 ) ).xyz;\n"
	"	vec2 at = 0.5 + 0.5 * ( p.xz - patchArea.xy ) / patchArea.z;\n"
	// What faces away lies in its own shadow: the map, whose texels are coarse, must not draw that border.
	"	float lit = Lit( q ) * smoothstep( -0.15, 0.10, dot( n, toLight.xyz ) );\n"
	"	return vec4( lit, Thickness( q ), textureLod( groundOpen, at, 0.0 ).r, OpenSky( p + SKY_OFFSET * toLight.w * n ) );\n"
	"}\n";

const char* const gelShaderSurfaceVertex =
	"layout( location = 0 ) in vec3 position;\n"
	"layout( location = 1 ) in vec3 normal;\n"
	"layout( location = 2 ) in vec3 tint;\n"
	"layout( location = 3 ) in vec2 texel;\n"
	"out vec3 world;\n"
	"out vec3 bent;\n"
	"out vec3 ownColor;\n"
	"out vec2 place;\n"
	"#ifdef DENSE\n"
	"out vec4 arrived;\n"
	"#endif\n"
	"void main()\n"
	"{\n"
	"#ifdef DENSE\n"
	"	arrived = Arrival( position, normal );\n"
	"#endif\n"
	"	ownColor = tint;\n"
	"	place = texel;\n"
	"	world = position;\n"
	"	bent = normal;\n"
	"	gl_Position = viewProjection * vec4( position, 1.0 );\n"
	"}\n";

// Coat: microfacet highlight with the GGX distribution and Schlick's Fresnel term (Walter et al. 2007,
// Schlick 1994), F0 = 0.04, and the sky mirrored with a soft box in it.
const char* const gelShaderSurfaceFragment =
	"in vec3 world;\n"
	"in vec3 bent;\n"
	"in vec3 ownColor;\n"
	"in vec2 place;\n"
	"#ifdef DENSE\n"
	"in vec4 arrived;\n"
	"#endif\n"
	"uniform sampler2D baseColor;\n"
	"uniform vec4 color;\n" // w: distance after which light is mostly absorbed [m]
	"uniform vec4 glow;\n" // light of its own; w: opacity
	"uniform float cutoff;\n"
	"out vec4 result;\n"
	"vec3 Mirrored( vec3 d, float lit )\n"
	"{\n"
	"	vec2 box = vec2( dot( d, lampRight.xyz ), dot( d, lampUp.xyz ) ) / max( dot( d, toLight.xyz ), 0.05 );\n"
	"	vec2 edge = smoothstep( vec2( 0.60 ), vec2( 0.18 ), abs( box ) );\n"
	"	float lamp = dot( d, toLight.xyz ) > 0.0 ? edge.x * edge.y : 0.0;\n"
	"	vec3 below = groundAlbedo * 0.75;\n"
	"	return mix( below, Sky( d ), smoothstep( -0.25, 0.15, d.y ) ) + lamp * lit * keyColor * 2.8;\n"
	"}\n"
	"void main()\n"
	"{\n"
	"	vec3 n = normalize( bent );\n"
	"	vec3 v = normalize( eye.xyz - world );\n"
	"	if ( !gl_FrontFacing ) n = -n;\n"
	"	vec3 l = toLight.xyz;\n"
	"	float nl = dot( n, l ), nv = max( dot( n, v ), 0.0 );\n"
	"#ifndef DENSE\n"
	"	vec4 arrived = Arrival( world, n );\n"
	"#endif\n"
	"	float lit = arrived.x, open = arrived.z, sky = arrived.w;\n"
	"	vec4 texel = texture( baseColor, place );\n"
	"	vec3 albedo = ownColor * texel.rgb;\n"
	// What is half transparent has holes as fine as pixels, so that nothing has to be sorted; glow.w: opacity.
	"#ifdef CLIP\n"
	"	float noise = fract( 52.9829189 * fract( dot( floor( gl_FragCoord.xy ), vec2( 0.06711056, 0.00583715 ) ) ) );\n"
	"	if ( texel.a * glow.w <= ( cutoff > 0.0 ? cutoff : noise ) ) discard;\n"
	"#endif\n"
	// Wrapped diffuse light: red end first, as skin and gels do.
	"	vec3 wrap = 0.12 + 0.30 * albedo;\n"
	"	vec3 diffuse = clamp( ( nl + wrap ) / ( ( 1.0 + wrap ) * ( 1.0 + wrap ) ), 0.0, 1.0 );\n"
	"	vec3 inner = exp( -arrived.y / color.w * ( 1.25 - albedo ) );\n"
	"	float away = clamp( 0.5 - 0.5 * nl, 0.0, 1.0 );\n"
	"	vec3 through = inner * albedo * ( 0.08 + 0.92 * away );\n"
	"	vec3 key = keyColor * ( albedo * diffuse * lit * 0.80 + through * 0.34 );\n"
	// Sky from above, and what the table sends back from below; near a contact the table is dark.
	"	float height = max( world.y - patchArea.w, 0.0 );\n"
	"	float near = exp( -height / ( 0.30 * toLight.w ) );\n"
	"	float low = 0.5 - 0.5 * n.y;\n"
	"	float openHere = mix( 1.0, open, near );\n"
	"	vec3 bounce = groundAlbedo * ( 0.62 * openHere + 0.05 ) + 0.10 * albedo;\n"
	"	vec3 fromSky = SkyLight( n.y ) * mix( 0.30, 1.0, sky ) + albedo * 0.22 * ( 1.0 - sky );\n"
	"	vec3 ambient = mix( fromSky, bounce, low * low ) * mix( 1.0, openHere, 0.5 * low );\n"
	// Coat
	"	vec3 half_ = normalize( l + v );\n"
	"	float nh = max( dot( n, half_ ), 0.0 ), alpha = 0.16;\n"
	"	float d = nh * nh * ( alpha * alpha - 1.0 ) + 1.0;\n"
	"	float spec = alpha * alpha / ( pi * d * d ) * 0.25 * clamp( nl * 4.0, 0.0, 1.0 ) * lit;\n"
	"	float grazing = 1.0 - nv, grazing3 = grazing * grazing * grazing;\n"
	"	float fresnel = 0.04 + 0.96 * grazing3 * grazing * grazing;\n"
	"	vec3 coat = Mirrored( reflect( -v, n ), lit ) * min( fresnel, 0.4 ) * openHere * mix( 0.35, 1.0, sky );\n"
	"	float rim = grazing3 * ( 0.25 + 0.5 * clamp( n.y + 0.3, 0.0, 1.0 ) );\n"
	"	vec3 c = ( key + albedo * ambient * 0.56 ) * ( 1.0 - 0.6 * fresnel );\n"
	"	c += coat + keyColor * spec * 0.05 + rim * 0.22 * mix( albedo, vec3( 1.0 ), 0.25 ) * openHere * sky;\n"
	"	result = Finish( c + glow.rgb );\n"
	"}\n";

const char* const gelShaderLineVertex =
	"layout( location = 0 ) in vec3 position;\n"
	"void main()\n"
	"{\n"
	"	gl_Position = viewProjection * vec4( position, 1.0 );\n"
	"	gl_Position.z -= 2e-4 * gl_Position.w;\n" // in front of the surface that it lies on
	"}\n";

const char* const gelShaderLineFragment =
	"uniform vec4 color;\n"
	"out vec4 result;\n"
	"void main()\n"
	"{\n"
	"	result = vec4( Prepare( color.rgb ), color.a );\n"
	"}\n";

// clang-format on

static void CopyFirstLine( char* out, int capacity, const char* text )
{
	snprintf( out, (size_t)capacity, "%.*s", (int)strcspn( text, "\n" ), text );
}

static GLuint CompileStage(
	GLenum stage, const char* settings, const char* source, char* error, int errorCapacity )
{
	const char* parts[] = { versionPart, settings, framePart, lightPart, arrivalPart,
		stage == GL_FRAGMENT_SHADER ? outputPart : "", source };
	GLuint shader = glCreateShader( stage );
	glShaderSource( shader, 7, parts, NULL );
	glCompileShader( shader );
	GLint ok = GL_FALSE;
	glGetShaderiv( shader, GL_COMPILE_STATUS, &ok );
	if ( ok ) return shader;
	char log[512] = "";
	glGetShaderInfoLog( shader, sizeof( log ), NULL, log );
	CopyFirstLine( error, errorCapacity, log );
	glDeleteShader( shader );
	return 0;
}

static void BindInputs( GLuint program )
{
	static const struct
	{
		const char* name;
		int unit;
	} samplers[] = {
		{ "shadowDepth", gel_unitShadowDepth },
		{ "shadowTint", gel_unitShadowTint },
		{ "heightMap", gel_unitHeight },
		{ "groundPicture", gel_unitGroundPicture },
		{ "groundOpen", gel_unitGroundOpen },
		{ "shadowCompare", gel_unitShadowCompare },
		{ "topMap", gel_unitTop },
		{ "baseColor", gel_unitBaseColor },
	};
	glUseProgram( program );
	for ( size_t i = 0; i < sizeof( samplers ) / sizeof( samplers[0] ); ++i )
		glUniform1i( glGetUniformLocation( program, samplers[i].name ), samplers[i].unit );
	GLuint block = glGetUniformBlockIndex( program, "Frame" );
	if ( block != GL_INVALID_INDEX ) glUniformBlockBinding( program, block, 0 );
}

unsigned gelBuildGlProgram(
	const char* settings, const char* vertex, const char* fragment, char* error, int errorCapacity )
{
	GEL_ASSERT( errorCapacity > 0 );
	GLuint program = 0;
	GLuint vertexShader = CompileStage( GL_VERTEX_SHADER, settings, vertex, error, errorCapacity );
	GLuint fragmentShader =
		vertexShader != 0 ? CompileStage( GL_FRAGMENT_SHADER, settings, fragment, error, errorCapacity ) : 0;
	if ( fragmentShader != 0 )
	{
		GLint ok = GL_FALSE;
		program = glCreateProgram();
		glAttachShader( program, vertexShader );
		glAttachShader( program, fragmentShader );
		glLinkProgram( program );
		glGetProgramiv( program, GL_LINK_STATUS, &ok );
		if ( ok )
		{
			BindInputs( program );
		}
		else
		{
			char log[512] = "";
			glGetProgramInfoLog( program, sizeof( log ), NULL, log );
			CopyFirstLine( error, errorCapacity, log );
			glDeleteProgram( program );
			program = 0;
		}
	}
	glDeleteShader( vertexShader );
	glDeleteShader( fragmentShader );
	return program;
}
