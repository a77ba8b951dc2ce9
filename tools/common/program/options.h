// SPDX-License-Identifier: MIT
// Command lines: one table per tool that parses, validates and prints the help, so that the three
// cannot disagree.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum gelOptionType
{
	gel_optionFlag,    // target: bool, set to true; "--name=no" takes it back
	gel_optionInt,     // target: int, within [min, max]
	gel_optionFloat,   // target: double, within [min, max]; "1/60" is a number too
	gel_optionString,  // target: const char*
	gel_optionChoice,  // target: int, index into choices ("a|b|c")
	gel_optionList,    // target: gelStringList, may be given several times
	gel_optionHelp,    // prints the help; no target
	gel_optionVersion, // prints the version; no target
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
	double min, max;     // limits of Int and Float; none when min >= max
	const char* choices; // words of Choice
	const char* help;    // says the default: "tets to aim at [500]"
	bool* given;         // NULL, or set to true when the option occurs
	const char* bare;    // String: NULL, or the value when none follows (end of the line, or another option)
} gelOption;

/// What a tool is, for its help and messages.
typedef struct gelProgramInfo
{
	const char* name;     // "gel-bake"
	const char* summary;  // one line
	const char* operands; // "IN.(obj|gltf|glb) -o OUT.gel"
	const char* example;  // one full command line
	int minOperands, maxOperands;
} gelProgramInfo;

typedef struct gelParsedOperands
{
	const char* items[64];
	int count;
	const char** listMemory; // one for all lists, behind their items
} gelParsedOperands;

typedef enum gelParseResult
{
	gel_parseOk,
	gel_parseHelp,  // help or version was printed to stdout: exit 0
	gel_parseError, // a message with the nearest option name went to stderr: exit 1
} gelParseResult;

/// Parses argv with two tables, the tool's own and the common one (program.h). Operands and options may be
/// mixed; "--" ends the options; "--name=value", "-ovalue" and "-o value" work; "-" is an operand. Strings
/// point into argv; the lists live until gelFreeOperands. When an option is given twice the last one counts.
gelParseResult gelParseOptions( const gelProgramInfo* info, const gelOption* own, const gelOption* common,
	int argc, char** argv, gelParsedOperands* outOperands );

void gelFreeOperands( gelParsedOperands* operands );

/// Names and present values of a table, one per line: the same text for the same values, whatever the order
/// of the command line was. free() it; NULL: no memory.
char* gelFormatOptions( const gelOption* options );

/// The long help, to stdout; the short usage that goes with an error, to stderr; "gel-bake 1.2.3 (pack
/// format 1.0)".
void gelPrintHelp( const gelProgramInfo* info, const gelOption* own, const gelOption* common );
void gelPrintUsage( const gelProgramInfo* info );
void gelPrintVersion( const gelProgramInfo* info );

/// The name in both tables that is nearest to what was typed, or NULL when none is near.
const char* gelNearestOption( const char* typed, const gelOption* own, const gelOption* common );

/// Parses a whole string as a number: decimal, exponent, or a ratio "1/60". False: not one, or not finite.
bool gelParseNumber( const char* text, double* out );
