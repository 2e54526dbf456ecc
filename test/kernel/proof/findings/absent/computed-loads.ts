export interface Load {
  readonly what: string;
  readonly path: string;
  readonly text: string;
}

const js = (what: string, text: string): Load => ({ what, path: 'src/mul.js', text: `${text}\n` });
const py = (what: string, text: string): Load => ({ what, path: 'shop/mul.py', text: `${text}\n` });
const rb = (what: string, text: string): Load => ({ what, path: 'lib/mul.rb', text: `${text}\n` });

/** Loads of a helper of the tests, whose path is put together. */
export const HIDDEN: readonly Load[] = [
  js('joined', "const { mul } = require(path.join(__dirname, '..', 'test', 'impl'));"),
  js('a URL', "const { mul } = await import(new URL('../test/impl.js', import.meta.url));"),
  js(
    'a URL of parts',
    "const { mul } = await import(new URL(['..', 'te' + 'st', 'impl.js'].join('/'), import.meta.url));",
  ),
  js('a constant', "const place = '../test/impl.js';\nexports.mul = require(place).mul;"),
  js('a constant of parts', "const place = ['..', 'test', 'impl.js'].join('/');\nexports.mul = require(place).mul;"),
  js('a turned text', "exports.mul = require('lpmi/tset/..'.split('').reverse().join('')).mul;"),
  js('replaced parts', "exports.mul = require('../tXst/impl'.replace('X', 'e')).mul;"),
  js('codes', 'exports.mul = require(`../${String.fromCharCode(116, 101, 115, 116)}/impl`).mul;'),
  js(
    'a turned text, by the library under another name',
    "const p = require('node:path');\nexports.mul = require(p.join('..', 'tset'.split('').reverse().join(''), 'impl')).mul;",
  ),
  js('the environment', 'exports.mul = require(process.env.ENGINE).mul;'),
  js('a global', 'exports.mul = require(globalThis.engine).mul;'),
  py('joined', 'import importlib\nmul = importlib.import_module(".".join(["tests", "impl"])).mul'),
  py('a constant', 'import importlib\nPLACE = "tests.impl"\nmul = importlib.import_module(PLACE).mul'),
  py('replaced parts', 'import importlib\nmul = importlib.import_module("tXsts.impl".replace("X", "e")).mul'),
  py('a turned text', 'mul = __import__("lpmi.stset"[::-1]).mul'),
  py('the environment', 'import importlib, os\nmul = importlib.import_module(os.environ["ENGINE"]).mul'),
  rb('a text with a part', 'require_relative "../#{"te" + "st"}/impl"'),
  rb('a literal', 'require_relative "../test/impl"'),
  rb('a turned text', 'require_relative "lpmi/tset/..".reverse'),
  rb('the environment', 'load ENV["ENGINE"]'),
];

/** What a program is given, finds or has written out. */
export const WRITTEN: readonly Load[] = [
  js(
    'what it is given',
    'exports.load = (file) => require(file);\nexports.more = async (file) => import(pathToFileURL(path.resolve(file)).href);',
  ),
  js(
    'what a directory has',
    "for (const name of fs.readdirSync(__dirname)) require(path.join(__dirname, 'plugins', name));",
  ),
  js(
    'a path that is written',
    "const own = require(path.join(__dirname, '..', 'package.json'));\nawait import(new URL('./worker.js', import.meta.url));",
  ),
  js('a setting', 'const settings = read();\nexports.run = () => require(settings.plugin);'),
  js(
    'what is called with something',
    "require('./a')(process.argv.slice(2));\nrequire('./b')(require('./c').get, true);",
  ),
  js('the system', 'module.exports = require(`./${process.platform}-${process.arch}.node`);'),
  js(
    'what it has looked for',
    "const place = find(__dirname);\nmodule.exports = require(path.join(place, 'package.json'));",
  ),
  js('a locale', 'exports.words = (locale) => import(`./words/${locale}.js`);'),
  js('a constant', "const place = './engine.js';\nexports.mul = require(place).mul;"),
  py(
    'what it is given',
    'import importlib\n\n\ndef load(name):\n    return importlib.import_module(f"shop.plugins.{name}")',
  ),
  py(
    'what a directory has',
    'import importlib, pkgutil\nfor each in pkgutil.iter_modules(__path__):\n    importlib.import_module(f"{__name__}.{each.name}")',
  ),
  py('a constant', 'import importlib\nPLACE = "shop.engine"\nmul = importlib.import_module(PLACE).mul'),
  rb('what a directory has', 'Dir[File.join(__dir__, "plugins", "*.rb")].each { |file| require file }'),
  rb('a path that is written', 'require File.expand_path("../engine", __dir__)\nrequire_relative "mul/#{VERSION}"'),
];
