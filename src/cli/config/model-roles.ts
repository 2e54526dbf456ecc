import type { UserConfig } from './config-schema.ts';

/** Models by purpose. */
export interface ModelRoles {
  /** Works on tasks. */
  readonly main: string | undefined;
  /** Writes summaries. */
  readonly small: string | undefined;
  /** Used in place of `main` while its provider fails. */
  readonly fallback: readonly string[];
}

export type RoleConfig = Pick<UserConfig, 'models' | 'model' | 'small_model'>;

/** `models.main` and `models.small` take precedence over the older `model` and `small_model`. Pure. */
export function modelRoles({ models, model, small_model: small }: RoleConfig): ModelRoles {
  return { main: models.main ?? model, small: models.small ?? small, fallback: models.fallback ?? [] };
}
