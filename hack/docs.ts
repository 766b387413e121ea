/**
 * `npm run docs` generates the pages from the code; `-- --check` only says whether they are stale, `-- --pictures` takes the pictures of the inspector
 * as well. `npm run docs -- dashboards` first records, with a real Prometheus, what the pictures of the dashboards show.
 */
import { runOneOf } from '@dwd/lab/options/run-one-of.ts';
import { helpOfHeader } from '@dwd/lab/options/help-of-header.ts';

helpOfHeader('docs -- [--check] [--pictures] | dashboards [--short]', import.meta.filename);
await runOneOf('docs', { dashboards: () => import('./dashboards.ts') }, () => import('./generate-docs.ts'));
