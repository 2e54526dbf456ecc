import type { UserConfig } from './config-schema.ts';

/** Models by what they are for. */
export interface ModelRoles {
  /** Works on tasks. */
  readonly main: string | undefined;
  /** Writes summaries. */
  readonly small: string | undefined;
  /** Stand in for `main` while its provider fails. */
  readonly fallback: readonly string[];
}

export type RoleConfig = Pick<UserConfig, 'models' | 'model' | 'small_model'>;

/** Pure: `models.main` and `models.small` before `model` and `small_model`, which are older. */
export function modelRoles({ models, model, small_model: small }: RoleConfig): ModelRoles {
  return { main: models.main ?? model, small: models.small ?? small, fallback: models.fallback ?? [] };
}
