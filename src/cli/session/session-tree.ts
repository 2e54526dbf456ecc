import type { ForkedFrom } from '../../contracts/session/session-snapshot.ts';
import { capText } from '../../lib/text/cap-text.ts';
import type { SessionSummary } from './read-sessions.ts';

interface Branch<S> {
  readonly session: S;
  /** Number of sessions above it. */
  readonly depth: number;
}

const MAX_WORDS = 40;

/**
 * Sessions with each fork below its original. Otherwise their order is kept: a tree is where its first member was. Each session occurs once, even
 * with inconsistent rows: one that would be below itself, or below a missing one, begins a tree. Pure.
 */
export function sessionTree<S extends Pick<SessionSummary, 'id' | 'forked_from'>>(
  sessions: readonly S[],
): readonly Branch<S>[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const parentOf = ({ forked_from }: S): S | undefined => byId.get(forked_from?.session ?? '');
  const forks = new Map<string, S[]>();
  for (const session of sessions) {
    const parent = parentOf(session);
    if (parent === undefined) continue;
    const others = forks.get(parent.id);
    if (others === undefined) forks.set(parent.id, [session]);
    else others.push(session);
  }
  const placed = new Set<string>();
  const tree: Branch<S>[] = [];
  for (const session of sessions) {
    if (placed.has(session.id)) continue;
    // A stack of its own, because a chain of forks can be as long as the list.
    const stack: Branch<S>[] = [{ session: rootOf(session, parentOf), depth: 0 }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { id } = next.session;
      if (placed.has(id)) continue;
      placed.add(id);
      tree.push(next);
      const depth = next.depth + 1;
      stack.push(...(forks.get(id) ?? []).toReversed().map((fork) => ({ session: fork, depth })));
    }
  }
  return tree;
}

/** The original of a session's chain of forks; in a cycle, the given session. */
function rootOf<S extends { readonly id: string }>(session: S, parentOf: (session: S) => S | undefined): S {
  const seen = new Set<string>();
  let root = session;
  for (let parent = parentOf(root); parent !== undefined; parent = parentOf(root)) {
    if (seen.has(parent.id)) return session;
    seen.add(parent.id);
    root = parent;
  }
  return root;
}

/** Where it separates from the other session, as text for one row. */
export function forkWords({ after, text }: Pick<ForkedFrom, 'after' | 'text'>): string {
  return after === 0 ? 'fork from the beginning' : `fork after message ${after}: ${capText(text, MAX_WORDS)}`;
}
