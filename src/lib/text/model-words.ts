/** A model, with the effort that was chosen for it. */
export function modelWords({ to, effort }: { readonly to: string; readonly effort?: string | undefined }): string {
  return effort === undefined ? to : `${to}, effort ${effort}`;
}
