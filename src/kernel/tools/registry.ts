import type { ToolSpec } from '../../contracts/model/model.ts';
import type { SessionState } from '../../contracts/session/workflow-states.ts';
import { nearestWord } from '../../lib/text/nearest-word.ts';
import { depsAdd } from './deps-add.ts';
import { depsInstall } from './deps-install.ts';
import { fsDelete } from './fs-delete.ts';
import { fsEdit } from './fs-edit.ts';
import { fsExists } from './fs-exists.ts';
import { fsList } from './fs-list.ts';
import { fsMove } from './fs-move.ts';
import { fsPatch } from './fs-patch.ts';
import { fsRead } from './fs-read.ts';
import { fsWrite } from './fs-write.ts';
import { gitCommit } from './git-commit.ts';
import { gitDiff } from './git-diff.ts';
import { gitLog } from './git-log.ts';
import { gitStatus } from './git-status.ts';
import { giveUp } from './task-give-up.ts';
import { historySearch } from './history-search.ts';
import { outputRead } from './output-read.ts';
import { planComplete } from './plan-complete.ts';
import { repoMap } from './repo-map.ts';
import { requestExemption } from './workflow-request-exemption.ts';
import { reviseTests } from './workflow-revise-tests.ts';
import { searchGlob } from './search-glob.ts';
import { searchGrep } from './search-grep.ts';
import { shellRun } from './shell-run.ts';
import { testRun } from './test-run.ts';
import { todoUpdate } from './todo-update.ts';
import { userAsk } from './user-ask.ts';
import type { Tool, ToolEffect } from './tool.ts';

/** All tools. What a part of the kernel needs to know about all tools is derived from their objects here. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>;

  /** Throws if two tools have one name. */
  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.#tools.size !== tools.length) throw new Error('two tools have one name');
  }

  /** A registry with additional tools, for example tools added at run time. */
  with(...tools: readonly Tool[]): ToolRegistry {
    return new ToolRegistry([...this.#tools.values(), ...tools]);
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** The tool that is meant by another spelling: `fs_read`, `functions.fs.read`, `mcp__fluffy__fs_read`. */
  spelled(name: string): Tool | undefined {
    const wanted = bare(name.replace(/^(?:functions|default_api|tools)\.|^mcp__\w+?__/, ''));
    const found = [...this.#tools.values()].filter((tool) => bare(tool.name) === wanted);
    return found.length === 1 ? found[0] : undefined;
  }

  /** The tool for which other agents use this name. */
  known(name: string): Tool | undefined {
    const wanted = name.toLowerCase();
    return [...this.#tools.values()].find(({ synonyms }) => synonyms.includes(wanted));
  }

  nearest(name: string): string | null {
    return nearestWord(name, this.#tools.keys());
  }

  availableIn(state: SessionState): readonly string[] {
    return [...this.#tools.values()].filter(({ states }) => states.includes(state)).map(({ name }) => name);
  }

  withEffect(effect: ToolEffect): readonly string[] {
    return [...this.#tools.values()].filter((tool) => tool.effect === effect).map(({ name }) => name);
  }

  /** For the provider, in a constant order, so that the beginning of a request can be cached. */
  specs(): readonly ToolSpec[] {
    return [...this.#tools.values()].map(({ spec }) => spec);
  }
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The shipped tools. */
export const TOOLS = new ToolRegistry([
  fsRead,
  fsList,
  fsExists,
  searchGrep,
  searchGlob,
  repoMap,
  outputRead,
  historySearch,
  fsWrite,
  fsEdit,
  fsPatch,
  fsDelete,
  fsMove,
  testRun,
  shellRun,
  depsInstall,
  depsAdd,
  gitStatus,
  gitDiff,
  gitLog,
  gitCommit,
  planComplete,
  requestExemption,
  reviseTests,
  giveUp,
  userAsk,
  todoUpdate,
]);
