import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { Inspection, InspectedFile } from '../../finding.ts';
import { literalOf } from '../../names.ts';
import { phpCall } from '../../php-calls.ts';
import { callsGiven, isPureOfPhp } from './pure-php.ts';

/** Node kinds of a program that can only compute. All other kinds are reported to a person. */
const PLAIN = new Set(
  `
    program php_tag comment declare_statement declare_directive strict_types namespace_definition namespace_name
    namespace_use_declaration namespace_use_clause namespace_use_group namespace_aliasing_clause class_declaration
    interface_declaration enum_declaration enum_declaration_list enum_case declaration_list method_declaration
    function_definition property_declaration property_element const_declaration const_element base_clause
    class_interface_clause property_initializer visibility_modifier static_modifier final_modifier abstract_modifier
    readonly_modifier var_modifier formal_parameters simple_parameter variadic_parameter property_promotion_parameter
    reference_modifier primitive_type named_type optional_type union_type type_list bottom_type cast_type
    compound_statement expression_statement return_statement if_statement else_if_clause else_clause switch_statement
    switch_block case_statement default_statement match_expression match_block match_condition_list
    match_conditional_expression match_default_expression for_statement foreach_statement while_statement do_statement
    break_statement continue_statement pair by_ref try_statement catch_clause throw_expression echo_statement
    sequence_expression list_literal binary_expression unary_op_expression conditional_expression assignment_expression
    cast_expression augmented_assignment_expression update_expression parenthesized_expression clone_expression
    unset_statement array_creation_expression array_element_initializer subscript_expression variadic_unpacking
    function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression
    member_access_expression nullsafe_member_access_expression scoped_property_access_expression
    class_constant_access_expression object_creation_expression arguments argument relative_scope anonymous_function
    anonymous_function_use_clause arrow_function variable_name name qualified_name string string_content
    escape_sequence encapsed_string heredoc heredoc_start heredoc_body heredoc_end nowdoc nowdoc_body nowdoc_string
    integer float boolean null operation
  `
    .trim()
    .split(/\s+/),
);
/**
 * Node kinds that only tests may use: attributes that name data providers, rows with `yield`, and anonymous classes as
 * fakes.
 */
const PLAIN_OF_TESTS = new Set([
  'attribute_list',
  'attribute_group',
  'attribute',
  'yield_expression',
  'anonymous_class',
]);
const CLASSES_OF_TESTS =
  /^\\?(?:Generator|PHPUnit\\Framework\\(?:TestCase|Attributes\\\w+|MockObject\\(?:MockObject|Stub)|Assert))$/;
/** Classes of PHP that inspect the program, access files or processes, or keep state between calls. */
const REACHING =
  /^\\?(?:Reflect\w*|Closure|FFI|Fiber|Generator|Weak\w+|Spl(?:File|Temp)\w*|Phar\w*|PDO\w*|SQLite\w*|mysqli\w*|Directory\w*|Recursive\w*|Glob\w*|Filesystem\w*|XML\w*|DOM\w*|Simple\w*XML\w*|Soap\w*|Curl\w*|Sys[vV]\w*|php_user_filter|Composer\b.*|PHPUnit\b.*|SebastianBergmann\b.*|Fluffy\b.*)$/i;
const MAGIC = /^__(?!construct$)/i;
const GLOBALS = /^\$(?:GLOBALS|_[A-Z]+|argv|argc|php_errormsg|http_response_header)$/;
const CONSTANTS = /^(?!PHP_(?!EOL|INT_|FLOAT_)|PHPUNIT|__)[A-Z][A-Z0-9_]*$/;
/** Methods of any object that show the callers, or bind a function to another object. */
const METHODS =
  /^(?:getTrace\w*|getLine|getFile|bind\w*|call|setAccessible|newInstance\w*|invoke\w*|(?:on|un)?register\w*)$/i;
/** Functions with a name of one word. A callable may contain such a name as text. */
const REACHING_WORDS =
  /^\\?(?:system|exec|passthru|popen|eval|assert|getenv|putenv|getmypid|getcwd|gethostname|phpversion|phpinfo|defined|constant|define|extract|unlink|touch|fopen|fwrite|readfile|glob|rand|uniqid|microtime|hrtime|sleep|usleep|exit|die)$/i;
const BOOLEAN = /^(?:===?|!==?|<>|<=?|>=?|&&|\|\||and|or|xor|instanceof)$/;

/** Code in PHP that may do more than compute. A person decides about everything that is not known to be harmless. */
export const plainPhp: Inspection = {
  kind: 'not-examined',
  *look(file, { isTest }) {
    if (file.language !== 'php') return;
    const inTest = isTest(file.path);
    const functions = declaredFunctions(file);
    for (const node of addedNodes(file)) {
      const what = node.named ? reaches(node, { file, inTest, functions }) : null;
      if (what !== null) yield { line: node.line, words: `${what} may do more than compute, and was not examined` };
    }
  },
};

/** PHPUnit's `assertEquals` compares with `==`, and `true` equals every non-empty value. */
export const truthOfPhp: Inspection = {
  kind: 'redefined-equality',
  *look(file, { tests }) {
    if (file.language !== 'php' || !tests.some(({ text }) => /\bassert\w*Equals/i.test(text))) return;
    for (const node of addedNodes(file)) {
      const [value] = node.kind === 'return_statement' ? namedChildren(node) : [];
      if (value !== undefined && isTruth(value, file.text))
        yield {
          line: node.line,
          words: 'for assertEquals, true equals every other value: use assertTrue or assertSame',
        };
    }
  },
};

function isTruth(value: SyntaxNode, text: string): boolean {
  const bare = value.kind === 'parenthesized_expression' ? (namedChildren(value)[0] ?? value) : value;
  if (bare.kind === 'boolean') return true;
  if (bare.kind === 'cast_expression') return /^\(\s*bool/i.test(plainText(bare, text));
  if (bare.kind === 'conditional_expression' || bare.kind === 'match_expression')
    return [...nodesOf(bare)].some(({ kind, field }) => kind === 'boolean' && field !== 'condition');
  const operator = childOf(bare, 'operator');
  const written = plainText(operator, text);
  return bare.kind === 'unary_op_expression' ? written === '!' : BOOLEAN.test(written);
}

interface Looked {
  readonly file: InspectedFile;
  readonly inTest: boolean;
  /** Names of functions that the file declares, in lower case. */
  readonly functions: ReadonlySet<string>;
}

function reaches(node: SyntaxNode, looked: Looked): string | null {
  const { file, inTest } = looked;
  const written = plainText(node, file.text);
  if (!PLAIN.has(node.kind) && !(inTest && PLAIN_OF_TESTS.has(node.kind)) && !isTyped(node))
    return isRequire(node, file.text) ? null : short(written);
  const call = phpCall(node, file.text);
  if (call !== null) {
    if (call.name === '') return `the call by a computed name ${short(written)}`;
    if (call.kind === 'function') return isKnown(call.name, call.arguments, looked) ? null : call.name;
    return METHODS.test(call.name) ? call.name : null;
  }
  switch (node.kind) {
    case 'declare_directive':
      return /^strict_types=1$/.test(written) ? null : written;
    case 'variable_name':
      return GLOBALS.test(written) ? written : null;
    case 'method_declaration':
      return magic(childOf(node, 'name'), file.text);
    case 'string':
    case 'encapsed_string':
      return callable(literalOf(node, file.text) ?? '');
    case 'static_modifier':
      return node.parent?.kind === 'property_declaration' ? 'a static property' : null;
    case 'assignment_expression':
    case 'augmented_assignment_expression':
    case 'update_expression':
      return changesShared(childOf(node, 'left') ?? childOf(node, 'argument'), file.text);
    case 'object_creation_expression':
      return createsUnknown(node, inTest) ? 'new, with a computed name,' : null;
    case 'qualified_name':
    case 'name':
      return named(node, written, inTest);
    default:
      return null;
  }
}

function isTyped(node: SyntaxNode): boolean {
  return above(node, ({ kind }) => kind === 'attribute_list') !== null || /_type$/.test(node.kind);
}

function isKnown(name: string, given: readonly SyntaxNode[], { file, functions }: Looked): boolean {
  const own = name.split('\\').at(-1)?.toLowerCase() ?? '';
  if (functions.has(own)) return true;
  if (callsGiven(own) && !given.some((each) => isFunction(each, file.text))) return false;
  const isLiteral = given.every((each) => namedChildren(each).every((value) => literalOf(value, file.text) !== null));
  return isPureOfPhp(own) && !(own === 'chr' && isLiteral);
}

/**
 * Whether an argument is a known function: a function expression, a PHP function that only computes, or a parameter of
 * type callable.
 */
function isFunction(argument: SyntaxNode, text: string): boolean {
  const value = namedChildren(argument).at(-1);
  if (value === undefined) return false;
  if (/^(?:anonymous|arrow)_function$/.test(value.kind)) return true;
  const name = literalOf(value, text);
  if (name !== null && value.kind !== 'integer')
    return isPureOfPhp(name.toLowerCase()) && !callsGiven(name.toLowerCase());
  const method = above(value, ({ kind }) => /^(?:method_declaration|function_definition)$/.test(kind));
  const list = childOf(method, 'parameters');
  const written = list === null ? '' : text.slice(list.start, list.end);
  return (
    value.kind === 'variable_name' &&
    new RegExp(`\\b(?:callable|Closure)\\s+\\${plainText(value, text)}\\b`).test(written)
  );
}

function declaredFunctions({ root, text }: InspectedFile): ReadonlySet<string> {
  const declared = [...nodesOf(root)].filter(({ kind }) => kind === 'function_definition');
  return new Set(declared.map((each) => plainText(childOrSelf(each, 'name'), text).toLowerCase()));
}

function magic(name: SyntaxNode | null, text: string): string | null {
  const written = plainText(name, text);
  return MAGIC.test(written) ? written : null;
}

/** A text that PHP would call as a function: `array_map('system', …)`. */
function callable(value: string): string | null {
  if (REACHING_WORDS.test(value)) return `the text ${value}`;
  if (!/^\\?[A-Za-z_]\w*(?:\\\w+)*(?:::\w+)?$/.test(value) || !/_|::|\\/.test(value)) return null;
  return /::|\\/.test(value) || !isPureOfPhp(value.toLowerCase()) ? `the text ${short(value)}` : null;
}

function changesShared(target: SyntaxNode | null, text: string): string | null {
  if (target === null) return null;
  const shared = [...nodesOf(target)].find(({ kind }) => kind === 'scoped_property_access_expression');
  return shared === undefined ? null : `a change of ${short(plainText(shared, text))}`;
}

function createsUnknown(node: SyntaxNode, inTest: boolean): boolean {
  const [created] = namedChildren(node);
  if (created?.kind === 'anonymous_class') return !inTest;
  return created === undefined || !/^(?:qualified_)?name$|^relative_scope$/.test(created.kind);
}

function named(node: SyntaxNode, written: string, inTest: boolean): string | null {
  if (node.parent?.kind === 'qualified_name' || node.parent?.kind === 'namespace_name') return null;
  if (REACHING.test(written)) return inTest && CLASSES_OF_TESTS.test(written) ? null : written;
  const { parent } = node;
  const isConstant =
    node.kind === 'name' &&
    node.field !== 'name' &&
    parent !== null &&
    /_statement$|^argument$|^binary_|^array_element|^parenthesized_|^assignment_|^return_|^conditional_|_expression$/.test(
      parent.kind,
    ) &&
    !/^(?:class_constant_access|object_creation|scoped_\w+|function_call|member_\w+|nullsafe_\w+)_expression$/.test(
      parent.kind,
    );
  return isConstant && !CONSTANTS.test(written) && !(inTest && written === '__DIR__') ? written : null;
}

/** `require_once __DIR__ . '/Mul.php'`: another file of the project. */
function isRequire(node: SyntaxNode, text: string): boolean {
  const whole = /^(?:include|require)(?:_once)?_expression$/.test(node.kind) ? plainText(node, text) : '';
  return /^require(?:_once)?\s*\(?__DIR__\.'\/[\w./-]+\.php'\)?$/.test(whole) && !/tests?\/|vendor\//i.test(whole);
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
