// SPDX-License-Identifier: MIT
// Figures of the last pictures of a window, for its graphs.
#pragma once

#define GEL_STATS_LENGTH 180

typedef struct gelFrameFigures
{
	float simulate, skin, draw;                   // wall clock of one picture [ms]
	float contactPhase, bodyPhase, responsePhase; // parts of the last step, see gelStepTimes [us]
	float kinetic, elastic, potential;            // energies of all bodies [J]
	float stepMicroseconds;                       // mean time of one step
	int contacts, inverted;
} gelFrameFigures;

typedef struct gelFrameStatsRing
{
	gelFrameFigures items[GEL_STATS_LENGTH];
	int count, next;
} gelFrameStatsRing;

void gelFrameStats_Add( gelFrameStatsRing* ring, const gelFrameFigures* figures );
/// The i-th oldest.
const gelFrameFigures* gelFrameStats_Get( const gelFrameStatsRing* ring, int i );
/// Mean over the last pictures.
gelFrameFigures gelFrameStats_Mean( const gelFrameStatsRing* ring );
