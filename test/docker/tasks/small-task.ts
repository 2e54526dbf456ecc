import type { ProviderWire } from '../../../src/contracts/model/providers.ts';
import type { ToolErrorCode } from '../../../src/contracts/model/tool-errors.ts';
import type { Developer } from '../../support/job/developer.ts';

/** Something that people ask a coding agent for, and a model that does it in its own way. */
export interface SmallTask {
  readonly name: string;
  /** What the person types. */
  readonly ask: string;
  readonly wire: ProviderWire;
  readonly developer: () => Developer;
  /** Codes of the calls that have to be refused on the way, in any order: what the model gets wrong. */
  readonly refused: readonly ToolErrorCode[];
  /** The commit's paths with what happened to each, as `git show --name-status` has them. */
  readonly commits: readonly string[];
  /** Why a person has to look at it before it is committed, reason by reason; none where policy decides by itself. */
  readonly forHuman: readonly RegExp[];
}

/** A repository in which several tasks are done, one after another. */
export interface Workshop {
  readonly runner: 'node-test' | 'vitest' | 'pytest' | 'unittest';
  readonly files: Readonly<Record<string, string>>;
  /** What git does not track. */
  prepare?(root: string): void;
  /** How a person runs its tests, without fluffy. */
  readonly test: readonly [program: string, ...args: string[]];
  readonly tasks: readonly SmallTask[];
}
