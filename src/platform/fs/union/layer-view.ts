import { withDescriptors } from '../descriptors.ts';
import type { LayerView } from '../scratch/plan-fold.ts';
import { pinParent } from '../staging/staging-steps.ts';
import { isWhiteout } from './union-lookup.ts';
import type { UnionRoots } from './union-walk.ts';
import { locate } from './union-walk.ts';

/** Reads the present state of the layers. */
export function viewLayers(roots: UnionRoots, layer: number): LayerView {
  return {
    staged: (path) =>
      withDescriptors((descriptors) => {
        const place = pinParent(descriptors, layer, path);
        const found = place === null ? null : descriptors.pin(place.parent, place.name);
        if (found?.kind !== 'pinned') return 'nothing';
        return found.pinned.stat.isDirectory() ? 'directory' : 'hider';
      }),
    isDirectory: (path) =>
      withDescriptors((descriptors) => locate(descriptors, roots, path, 'exact').kind === 'directory'),
    projectShows: (path) =>
      withDescriptors((descriptors) => {
        const slash = path.lastIndexOf('/');
        const parent = locate(descriptors, roots, path.slice(0, Math.max(slash, 0)), 'exact');
        if (parent.kind !== 'directory' || parent.project === null) return false;
        const beneath = descriptors.pin(parent.project, path.slice(slash + 1));
        return beneath.kind === 'pinned' && !isWhiteout(beneath.pinned.stat);
      }),
  };
}
