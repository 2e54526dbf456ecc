import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isInstalled } from './installed-package.ts';

interface Chai {
  readonly assert: object;
  use(plugin: unknown): unknown;
}

/**
 * Applies those plugins of chai that replace an assertion which chai has, before its assertions are watched. chai applies each plugin once, so a test that
 * does so later replaces nothing. Only installed packages that the manifest names: what code of the project replaces is still noticed.
 */
export async function applyReplacingPlugins(project: NodeJS.Require, directory: string, chai: unknown): Promise<void> {
  if (!isChai(chai)) return;
  for (const plugin of pluginsOf(project, directory)) {
    const trial = await anotherChai(project, chai);
    if (trial !== null && replaces(trial, plugin)) chai.use(plugin);
  }
}

function isChai(value: unknown): value is Chai {
  return typeof value === 'object' && value !== null && 'use' in value && 'assert' in value;
}

function pluginsOf(project: NodeJS.Require, directory: string): readonly unknown[] {
  return namesOf(project, directory).flatMap((name) => {
    try {
      if (!isInstalled(project.resolve(name))) return [];
      const loaded = project(name) as { readonly default?: unknown };
      const plugin = typeof loaded === 'function' ? loaded : loaded.default;
      return typeof plugin === 'function' ? [plugin] : [];
    } catch {
      // It is not installed, or not to be loaded like this.
      return [];
    }
  });
}

function namesOf(project: NodeJS.Require, directory: string): readonly string[] {
  try {
    const { dependencies, devDependencies } = project(join(directory, 'package.json')) as Readonly<
      Record<string, object | undefined>
    >;
    return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => /(?:^|\/)chai-/.test(name));
  } catch {
    return [];
  }
}

/** chai, loaded a second time; null where that is not possible. */
async function anotherChai(project: NodeJS.Require, chai: Chai): Promise<Chai | null> {
  const path = project.resolve('chai');
  const own = Object.entries(project.cache).filter(([file]) => file.startsWith(`${dirname(path)}/`));
  for (const [file] of own) delete project.cache[file];
  let other: unknown = project('chai');
  for (const [file, module] of own) project.cache[file] = module;
  // An ES module is loaded again only by another address.
  if (other === chai) other = await import(`${pathToFileURL(path).href}?again`);
  return isChai(other) && other.assert !== chai.assert ? other : null;
}

function replaces(chai: Chai, plugin: unknown): boolean {
  const assert = chai.assert as Readonly<Record<string, unknown>>;
  const before = Object.keys(assert).map((name) => [name, assert[name]] as const);
  try {
    chai.use(plugin);
  } catch {
    return false;
  }
  return before.some(([name, member]) => assert[name] !== member);
}
