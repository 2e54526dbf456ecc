import { lastText } from '../../../lib/text/first-last.ts';
const CONSTANT = String.raw`(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*`;
const PATH = /\b[A-Z]\w*(?:::[A-Z]\w*)+/g;
const MIXED_IN = new RegExp(String.raw`\b(?:include|extend|prepend)[ \t(]+(${CONSTANT}(?:\s*,\s*${CONSTANT})*)`, 'g');
const OPENED = new RegExp(String.raw`^[ \t]*module[ \t]+(${CONSTANT})`, 'gm');
const INHERITED = new RegExp(String.raw`<[ \t]*(${CONSTANT})|\bClass\.new\(\s*(${CONSTANT})`, 'g');

/**
 * Returns Ruby code that defines every missing constant when the tests use it. The constant is created where the tests
 * name it, so its full name is the same as in the future source. It is a module if the tests include or open it, otherwise a
 * class. Every method call on it throws, and so does a call of a missing method on an object that includes it. The
 * exception is not a StandardError, so a test that expects one does not pass. Conversions are not defined, because
 * `describe Missing` tries them.
 */
export function rubyStandIn(tests: string): string {
  return [
    'NotWritten = Class.new(Exception) unless defined?(NotWritten)',
    'class Module; def const_missing(name)',
    'raise NameError.new("uninitialized constant #{name}", name, receiver: self) if name == :NotWritten',
    `is_asked = %w[${pathsOf(tests).join(' ')}].any? { |path| "::#{path}::".include?("::#{to_s[/\\w+\\z/]}::#{name}::") }`,
    'place = self',
    'place = Object.const_get(place.name.to_s[/(.+)::/, 1] || :Object) while !is_asked && place.is_a?(Class) && !place.equal?(Object)',
    'full = place.equal?(Object) ? name.to_s : "#{place}::#{name}"',
    'made = Class.new',
    `made = ${MODULE} if %w[${modulesOf(tests).join(' ')}].include?(name.to_s)`,
    'made.define_singleton_method(:method_missing) { |*, **| raise NotWritten, "#{full} is not written yet" }',
    'made.define_singleton_method(:respond_to_missing?) { |asked, *| !asked.start_with?("to_") }',
    'made.define_singleton_method(:new) { |*, **| raise NotWritten, "#{full} is not written yet" }',
    'place.const_set(name, made) unless place.const_defined?(name, false)',
    'made; end; end\n',
  ].join('; ');
}

/** A module for classes that include it. Matchers of RSpec also use `method_missing`, so `super` is tried first. */
const MODULE = [
  'Module.new { define_method(:method_missing) { |asked, *given, **named, &block|',
  'begin; super(asked, *given, **named, &block); rescue NameError => error;',
  'raise unless error.name == asked && equal?(error.receiver);',
  'raise NotWritten, "#{full} is not written yet"; end } }',
].join(' ');

/**
 * Constants that the tests write with a namespace: `Shop::Cart`. A constant without a namespace is not created inside
 * the class around the case.
 */
function pathsOf(tests: string): readonly string[] {
  return [...new Set(tests.match(PATH))];
}

/** Last names of the constants that have to be modules. */
function modulesOf(tests: string): readonly string[] {
  const mixed = [...tests.matchAll(MIXED_IN)].flatMap(([, names = '']) => names.split(','));
  const opened = [...tests.matchAll(OPENED)].map(([, name = '']) => name);
  const inherited = new Set([...tests.matchAll(INHERITED)].map(([, above, given]) => lastName(above ?? given ?? '')));
  return [...new Set([...mixed, ...opened].map(lastName))].filter((name) => !inherited.has(name));
}

function lastName(constant: string): string {
  return lastText(constant.trim().split('::'));
}

/**
 * Returns the tests with stand-ins for all missing constants. Magic comments of Ruby, and the other comments and blank
 * lines at the start, stay first.
 */
export function withRubyStandIn(tests: string): string {
  const head = /^(?:[ \t]*(?:#[^\n]*)?\n)*/.exec(tests)?.[0] ?? '';
  return `${head}${rubyStandIn(tests).trimEnd()}; ${tests.slice(head.length)}`;
}
