/** `npm run supply -- licences|sbom|audit|node|release-notes`: what is shipped, of what it is made, and what is said of it. */
import { runOneOf } from '@dwd/lab/options/run-one-of.ts';

await runOneOf('supply', {
  licences: () => import('./licences.ts'),
  sbom: () => import('./sbom.ts'),
  audit: () => import('./audit.ts'),
  node: () => import('@dwd/lab/brought-node.ts'),
  'release-notes': () => import('./release-notes.ts'),
});
