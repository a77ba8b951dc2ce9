// SPDX-License-Identifier: MIT
// Command lines: one table per tool that parses, validates and prints the help, so that the three
// cannot disagree.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum gelOptionType
{
	gel_optionFlag,   // target: bool, set to true
	gel_optionInt,    // target: int, within [min, max]
	gel_optionFloat,  // target: double, within [min, max]; "1/60" is a number too
	gel_optionString, // target: const char*
	gel_optionChoice, // target: int, index into choices ("a|b|c")
	gel_optionList,   // target: gelStringList, may be given several times
} gelOptionType;

typedef struct gelStringList
{
	const char** items;
	int count;
} gelStringList;

typedef struct gelOption
{
	const char* name; // without dashes; NULL ends a table
	char letter;      // 0: none
	gelOptionType type;
	const char* value; // name of the value in the help: "FILE", "N"
	void* target;
	double min, max;     // for Int and Float
	const char* choices; // for Choice
	const char* help;    // says the default: "tets to aim at [500]"
	bool* given;         // NULL, or set to true when the option occurs
} gelOption;

/// What a tool is, for its help and messages.
typedef struct gelProgramInfo
{
	const char* name;       // "gel-bake"
	const char* summary;    // one line
	const char* operands;   // "IN.(obj|gltf|glb) -o OUT.gel"
	const char* example;    // one full command line
	int minOperands, maxOperands;
} gelProgramInfo;

typedef struct gelParsedOperands
{
	const char* items[64];
	int count;
} gelParsedOperands;

typedef enum gelParseResult
{
	gel_parseOk,
	gel_parseHelp,    // help or version was printed to stdout: exit 0
	gel_parseError,   // a message with the nearest option name went to stderr: exit 1
} gelParseResult;

/// Parses argv with two tables, the tool's own and the common one (program.h). Operands and options may be
/// mixed; "--" ends the options; "--name=value", "-ovalue" and "-o value" work; "-" is an operand.
gelParseResult gelParseOptions( const gelProgramInfo* info, const gelOption* own, const gelOption* common,
	int argc, char** argv, gelParsedOperands* outOperands );

/// Parses a whole string as a number: decimal, exponent, or a ratio "1/60". False: not one, or not finite.
bool gelParseNumber( const char* text, double* out );
