import type { ProtectedLocations } from '../../../contracts/protected-locations.ts';
import type { Glob } from '../../../lib/globs/glob.ts';
import { parseGlob } from '../../../lib/globs/parse-glob.ts';
import { TOOLS } from '../../tools/registry.ts';
import type { CompiledRule } from '../rules/compiled-rule.ts';
import { ANY_REQUEST } from '../rules/compiled-rule.ts';
import { foldPath } from '../../../lib/globs/fold-path.ts';

/** Syscalls that change nothing. All others count as writes, including unknown syscalls of plugins. */
export const READ_SYSCALLS: readonly string[] = TOOLS.withEffect('read');

/**
 * The rules that no policy, token or extension can override. A further protection is not a rule: `decide` refuses a
 * path that is not normalised. The rules match folded paths (`foldPath`) at any depth.
 */
export function builtinRules(locations: Partial<ProtectedLocations> = {}): readonly CompiledRule[] {
  return [
    protect(
      'protect-policy',
      'writes',
      ['.fluffy'],
      [],
      'Policy, configuration and evidence change only through fluffy itself',
    ),
    protect(
      'protect-git',
      'writes',
      ['.git', 'git~1'],
      [],
      'The inside of .git changes only through a reviewed commit',
    ),
    protect(
      'protect-bootstrap',
      'writes',
      ['**/node_modules/fluffy/bin', '**/node_modules/fluffy/**/bootstrap*'],
      locations.bootstrap,
      'The program that starts the kernel must stay what was installed',
    ),
    protect(
      'protect-kernel',
      'writes',
      ['**/node_modules/fluffy'],
      locations.kernel,
      'The kernel must stay what was installed',
    ),
    protect(
      'protect-audit',
      'everything',
      ['**/.local/state/fluffy/**/fluffy.db*', '**/.local/state/fluffy/**/anchors.jsonl'],
      locations.audit,
      'The audit log is read through fluffy audit and written only by the kernel',
    ),
    protect(
      'protect-state',
      'everything',
      ['**/.local/state/fluffy'],
      locations.state,
      'Only the kernel may change session state',
    ),
    protect(
      'protect-keys',
      'everything',
      ['**/.config/fluffy'],
      locations.keys,
      'Keys, trust and user settings are out of reach of every tool',
    ),
    review('review-policy-update', 'policy.update', 'A change of policy is always a human decision'),
    review('review-plugin-install', 'plugin.install', 'A new plugin is always a human decision'),
  ];
}

function protect(
  name: string,
  against: 'writes' | 'everything',
  patterns: readonly string[],
  locations: readonly string[] | undefined,
  reason: string,
): CompiledRule {
  const globs = [...patterns, ...(locations ?? []).map((path) => exactPathGlob(foldPath(path)))].map(known);
  return {
    name,
    layer: 'builtin',
    action: 'deny',
    reason,
    match: { ...ANY_REQUEST, globs },
    except: against === 'writes' ? [{ ...ANY_REQUEST, syscalls: READ_SYSCALLS }] : [],
    constraints: null,
  };
}

function review(name: string, syscall: string, reason: string): CompiledRule {
  return {
    name,
    layer: 'builtin',
    action: 'require_review',
    reason,
    match: { ...ANY_REQUEST, syscalls: [syscall] },
    except: [],
    constraints: null,
  };
}

/** The glob for exactly this path and everything below it, with all special characters escaped. */
export function exactPathGlob(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]{}()!#@+ ]/g, '\\$&')}`;
}

function known(source: string): Glob {
  const parsed = parseGlob(source);
  if (parsed.kind === 'refused') throw new Error(`built-in pattern ${source} ${parsed.reason}`);
  return parsed.glob;
}
