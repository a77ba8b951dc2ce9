// SPDX-License-Identifier: MIT
// Line plots: panels in rows and columns, with axes, labels and one legend, as a PNG picture.
#pragma once

#include "common/program/findings.h"

/// One line. Values that are not finite leave a gap.
typedef struct gelPlotSeries
{
	const char* name; // in the legend
	const double* x;
	const double* y;
	int count;
} gelPlotSeries;

typedef struct gelPlotPanel
{
	const char* title;
	const gelPlotSeries* series;
	int seriesCount;
} gelPlotPanel;

typedef struct gelPlot
{
	const char* title;
	const char *xLabel, *yLabel;
	const gelPlotPanel* panels; // by rows
	int rows, columns;
	const char* const* legend; // names by color, in the order of the series
	int legendCount;
	double yLow, yHigh; // equal: from the data, the same for all panels
} gelPlot;

/// @return false: a finding was added
bool gelWritePlot( const gelPlot* plot, const char* path, gelFindings* findings );
