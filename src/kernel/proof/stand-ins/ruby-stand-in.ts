/** Every constant that is missing is a class of which nothing can be asked. It is no StandardError that says so: a test that expects one does not pass. It has no conversions: `describe Missing` asks for them. */
export const RUBY_STAND_IN =
  'NotWritten = Class.new(Exception) unless defined?(NotWritten); class Module; def const_missing(name); raise NameError.new("uninitialized constant #{name}", name, receiver: self) if name == :NotWritten; made = Class.new; made.define_singleton_method(:method_missing) { |*, **| raise NotWritten, "#{name} is not written yet" }; made.define_singleton_method(:respond_to_missing?) { |asked, *| !asked.start_with?("to_") }; made.define_singleton_method(:new) { |*, **| raise NotWritten, "#{name} is not written yet" }; Object.const_set(name, made); end; end\n';

/** The tests with stand-ins for all constants that they lack. What is said to Ruby itself stays in front: comments, and blank lines between them. */
export function withRubyStandIn(tests: string): string {
  const head = /^(?:[ \t]*(?:#[^\n]*)?\n)*/.exec(tests)?.[0] ?? '';
  return `${head}${RUBY_STAND_IN.trimEnd()}; ${tests.slice(head.length)}`;
}
