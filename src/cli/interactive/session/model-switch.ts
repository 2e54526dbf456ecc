import type { FluffyEvent } from '../../../contracts/session/events.ts';
import { EFFORTS } from '../../../contracts/model/model-facts.ts';
import type { Effort } from '../../../contracts/model/model-facts.ts';
import type { ModelChoice } from '../../../contracts/model/model-choice.ts';
import type { RequestResult } from '../../../contracts/session/session-protocol.ts';
import type { PickerEntry } from '../../../tui/panel/panel.ts';
import { safeLine } from '../../../tui/store/safe-text.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';

/** What the host knows about models. */
export interface HostModels {
  /** Throws FluffyError for a model that cannot be used here, or for an effort that it does not offer. */
  readonly resolve: (model: string, effort: Effort | undefined) => Promise<ModelChoice>;
  readonly effortsOf: (model: string) => readonly Effort[];
  readonly list: () => Promise<readonly PickerEntry[]>;
}

export interface ModelSwitchParts {
  readonly store: ViewStore;
  readonly models: HostModels;
  readonly options: ModelChoice;
  readonly request: (choice: ModelChoice) => Promise<RequestResult<'session.set_model'>>;
  /** Later sessions use it too. */
  readonly chosen: (choice: ModelChoice) => void;
  readonly hint: (text: string) => void;
}

/** The model of this terminal's session, and how to change it. */
export class ModelSwitch {
  readonly #parts: ModelSwitchParts;
  #model: string;
  #effort: Effort | undefined;

  constructor(parts: ModelSwitchParts) {
    this.#parts = parts;
    this.#model = parts.options.model;
    this.#effort = parts.options.effort;
  }

  onEvent(event: FluffyEvent): void {
    if (event.type === 'session.started') this.#model = event.model;
    if (event.type !== 'model.changed') return;
    this.#model = event.to;
    this.#effort = event.effort;
  }

  async pick(): Promise<void> {
    const { store, models } = this.#parts;
    const entries = await models.list();
    store.dispatch({
      kind: 'panel',
      panel: { kind: 'picker', purpose: 'model', title: safeLine(titleOf(entries)), entries },
    });
  }

  /** The effort is kept if the model offers it. */
  async choose(model: string): Promise<void> {
    const keeps = this.#effort !== undefined && this.#parts.models.effortsOf(model).includes(this.#effort);
    await this.#change(model, keeps ? this.#effort : undefined);
  }

  /** `text` is an effort, `default`, or empty to show the present one. */
  async effort(text: string): Promise<void> {
    const { hint, models } = this.#parts;
    const offered = models.effortsOf(this.#model);
    if (text === '') {
      const has = offered.length === 0 ? 'it has none to choose' : `it has ${[...offered, 'default'].join(', ')}`;
      return hint(`The effort of ${this.#model} is ${this.#effort ?? 'the default'}; ${has}.`);
    }
    const wanted = EFFORTS.find((effort) => effort === text);
    if (wanted === undefined && text !== 'default') return hint(`It is written /effort ${EFFORTS.join('|')}|default`);
    await this.#change(this.#model, wanted);
  }

  async #change(model: string, effort: Effort | undefined): Promise<void> {
    const { models, request, chosen, hint } = this.#parts;
    const choice = await models.resolve(model, effort);
    const { ok, reason } = await request(choice);
    // An event reports the change.
    if (ok) chosen(choice);
    else hint(reason);
  }
}

function titleOf(entries: readonly PickerEntry[]): string {
  return entries.some(({ isHidden }) => isHidden === true) ? 'Models (type to find those not set up here)' : 'Models';
}
