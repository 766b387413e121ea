/** `npm run docs` generates the pages; `npm run docs -- dashboards` first records, with a real Prometheus, what their pictures show. */
import { runOneOf } from './options/run-one-of.ts';

await runOneOf('docs', { dashboards: () => import('./dashboards.ts') }, () => import('./generate-docs.ts'));
