import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { ownValue } from '../../../../../lib/own-value.ts';
import { firstText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, plainText, textOf } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { Inspection, InspectedFile } from '../../finding.ts';
import { calleeOf, functionName, identifiersIn } from '../../names.ts';

/** Nodes that change the program in a way which its functions do not show. */
const REACHING_KINDS: Readonly<Record<string, string>> = {
  gnu_asm_expression: 'assembly',
  preproc_def: 'a macro',
  preproc_function_def: 'a macro',
  preproc_if: 'conditional code of the preprocessor',
  preproc_ifdef: 'conditional code of the preprocessor',
  preproc_elif: 'conditional code of the preprocessor',
  preproc_call: 'a directive of the preprocessor',
  attribute_specifier: 'an attribute',
  attribute_declaration: 'an attribute',
  ms_declspec_modifier: 'an attribute',
  goto_statement: 'a jump',
};
/** Attributes that only affect compiler warnings. */
const HARMLESS_ATTRIBUTES =
  /^\[\[\s*(?:nodiscard|maybe_unused|fallthrough|noreturn|deprecated|likely|unlikely)\b[^\]]*\]\]$/;
/** `#ifndef SHOP_ADD_H` around a header, and `#pragma once`. */
const GUARD =
  /^#\s*(?:ifndef\s+\w+_(?:H|HH|HPP|HXX|INCLUDED)_?\b|pragma\s+once)|^#\s*define\s+\w+_(?:H|HH|HPP|HXX|INCLUDED)_*\s*$|^#\s*ifdef\s+__cplusplus\b/;
/** Functions of the C library and Linux that read more than their arguments, or have other effects. */
const REACHING_CALLS =
  /^(?:(?:std|::std)?(?:::)?(?:exit|_exit|_Exit|quick_exit|abort|terminate|atexit|at_quick_exit|raise|signal|sigaction|kill|longjmp|setjmp|sigsetjmp|getenv|secure_getenv|setenv|putenv|clearenv|system|popen|fork|vfork|exec\w*|posix_spawn\w*|dlopen|dlsym|dladdr|backtrace\w*|__builtin_\w+|ptrace|prctl|syscall|mmap|mprotect|getpid|getppid|getuid|getcwd|gethostname|isatty|ttyname|readlink|open|openat|fopen|freopen|fdopen|opendir|stat|access|socket|rand|srand|random|drand48|time|clock|gettimeofday|clock_gettime|sleep|usleep|nanosleep|getauxval|getopt\w*|dl_iterate_phdr|__assert_fail|set_terminate|uncaught_exceptions?)|std::(?:filesystem::\w+|chrono::\w+::now|random_device|this_thread::\w+|source_location::current|stacktrace::current|ifstream|ofstream|fstream)|testing::\w+.*|Catch::\w+.*|doctest::\w+.*)$/;
const REACHING_NAMES =
  /^(?:__FILE__|__LINE__|__func__|__FUNCTION__|__PRETTY_FUNCTION__|__COUNTER__|__BASE_FILE__|__TIME__|__DATE__|environ|__environ|program_invocation_name|program_invocation_short_name|argv|stdout|stderr|NDEBUG)$/;
const REACHING_TEXTS = /\/proc\b|\/fluffy|\/dev\/|CTEST|GTEST|gtest|_TEST\b|ctest|\.gcda$|LD_PRELOAD/;
const TEST_HEADERS = /^[<"](?:gtest|gmock|catch2|doctest|catch\.hpp|boost\/test|unity|cmocka)\b/;
const EQUALITY = /^operator(?:==|!=|<=>|<|>|<=|>=|!|bool|&&|\|\||\(\)|&|->|,)$/;
const CONSTANT = /^(?:const|constexpr|constinit)$/;

/**
 * Code in C or C++ that does more than compute, found by known names and nodes. A person decides about such a change.
 */
export const plainCpp: Inspection = {
  kind: 'not-examined',
  *look(file, { isTest }) {
    if (file.language !== 'cpp') return;
    const inTest = isTest(file.path);
    for (const node of addedNodes(file)) {
      const what = inTest ? replacesJudge(node, file) : reaches(node, file);
      if (what !== null) yield { line: node.line, words: `${what}: its effect is not examined` };
    }
  },
};

function reaches(node: SyntaxNode, file: InspectedFile): string | null {
  const { text } = file;
  const written = plainText(node, text);
  const kind = ownValue(REACHING_KINDS, node.kind);
  if (kind !== undefined && !GUARD.test(firstText(written.split('\n'))) && !HARMLESS_ATTRIBUTES.test(written))
    return kind;
  if (node.kind === 'call_expression') return calls(node, text);
  if (node.kind === 'preproc_include') {
    const path = childOf(node, 'path');
    return TEST_HEADERS.test(plainText(path, text)) ? 'a header of tests' : null;
  }
  if (/identifier$/.test(node.kind) && REACHING_NAMES.test(written)) return written;
  if (node.kind === 'string_literal' && REACHING_TEXTS.test(written)) return written;
  if (node.kind === 'function_definition')
    return (
      redefines(node, text) ?? (ignoresArguments(node, text) ? 'a function that uses none of its arguments' : null)
    );
  if (node.kind === 'declaration')
    return madeOf(node, text) ?? (keepsState(node, text) ? 'a variable that outlives the call' : null);
  if (node.kind === 'type_qualifier' && /^(?:volatile|mutable)$/.test(written)) return written;
  return null;
}

/** The type of a variable that opens a file or reads more than its arguments: `std::ofstream out("a")`. */
function madeOf(declaration: SyntaxNode, text: string): string | null {
  const type = childOf(declaration, 'type');
  const name = plainText(type, text);
  return REACHING_CALLS.test(name) || REACHING_CALLS.test(`std::${name}`) ? name : null;
}

function calls(call: SyntaxNode, text: string): string | null {
  const callee = calleeOf(call);
  const name = callee === null ? '' : plainText(callee, text).replace(/<[\s\S]*>$/, '');
  return REACHING_CALLS.test(name) ? name : null;
}

/** Operators that define equality, and functions that replace those of the C library. */
function redefines(node: SyntaxNode, text: string): string | null {
  const name = functionName(node);
  const written = name === null ? plainText(childOrSelf(node, 'declarator'), text) : plainText(name, text);
  const operator = /\boperator\s*(?:[^\w\s(]+|\(\)|bool)/.exec(written)?.[0].replace(/\s/g, '');
  if (operator !== undefined && EQUALITY.test(operator)) return operator;
  return name !== null && (REACHING_CALLS.test(written) || written === 'main') ? written : null;
}

/** Whether a function returns a value and uses none of its named parameters. */
function ignoresArguments(node: SyntaxNode, text: string): boolean {
  const body = childOf(node, 'body');
  const names = [...nodesOf(childOrSelf(node, 'declarator'))].flatMap(({ kind, field, parent, start, end }) =>
    kind === 'identifier' && field === 'declarator' && parent !== null && isParameter(parent)
      ? [text.slice(start, end)]
      : [],
  );
  if (body === null || names.length === 0 || !/\breturn\s+[^;]/.test(textOf(body, text))) return false;
  const used = identifiersIn(body, text);
  return !names.some((name) => used.has(name));
}

/** Whether a node is a parameter, also a pointer or reference. */
function isParameter(node: SyntaxNode): boolean {
  if (/parameter_declaration$/.test(node.kind)) return true;
  return /^(?:pointer|reference|array)_declarator$/.test(node.kind) && node.parent !== null && isParameter(node.parent);
}

/**
 * Whether a declaration keeps state between calls: a variable outside of functions, or a static variable inside, that
 * is not constant.
 */
function keepsState(node: SyntaxNode, text: string): boolean {
  const declared = childOf(node, 'declarator');
  if (declared === null || /function_declarator/.test(kindsBelow(declared))) return false;
  const words = namedChildren(node).map((each) => plainText(each, text));
  if (words.some((each) => CONSTANT.test(each))) return false;
  const isLocal = above(node, ({ kind }) => kind === 'function_definition' || kind === 'lambda_expression') !== null;
  const isMember = above(node, ({ kind }) => kind === 'field_declaration_list') !== null;
  return isLocal
    ? words.some((each) => /^(?:static|thread_local)$/.test(each))
    : !isMember && !words.includes('extern');
}

function kindsBelow(node: SyntaxNode): string {
  const inner = childOf(node, 'declarator');
  return inner === null ? node.kind : `${node.kind} ${kindsBelow(inner)}`;
}

/** Code in a test that replaces assertions of the framework, or hides their results. */
function replacesJudge(node: SyntaxNode, { text }: InspectedFile): string | null {
  if (/^preproc_(?:def|function_def|call)$/.test(node.kind)) {
    const written = plainText(node, text);
    return /\b(?:EXPECT_|ASSERT_|REQUIRE|CHECK|assert\b|NDEBUG|TEST\w*\b\s*\(|SECTION|push_macro|pop_macro|return\b|main\b|line\b)|^#\s*(?:undef|line)\b/.test(
      written,
    ) && !/(?:CATCH|DOCTEST)_CONFIG_/.test(written)
      ? 'a macro in place of an assertion'
      : null;
  }
  if (node.kind === 'call_expression') {
    const name = calls(node, text);
    return name !== null &&
      !/^testing::(?:InitGoogle|Values|Range|Combine|Bool|ValuesIn|Test\b|[A-Z]\w*$)|^Catch::(?:Session|Approx|Matchers|Detail)|^doctest::(?:Approx|Context|skip|description|timeout)|^(?:std::)?(?:fopen|time|clock|std::chrono|rand|srand)/.test(
        name,
      )
      ? name
      : null;
  }
  if (/^(?:gnu_asm_expression|attribute_specifier|goto_statement)$/.test(node.kind))
    return ownValue(REACHING_KINDS, node.kind) ?? null;
  return node.kind === 'function_definition' ? replacedFunction(node, text) : null;
}

function replacedFunction(node: SyntaxNode, text: string): string | null {
  const what = redefines(node, text);
  return what === 'main' ? null : what;
}
