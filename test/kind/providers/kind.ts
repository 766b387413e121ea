import type { Provider } from '../provider.ts';

export const kind: Provider = {
  name: 'kind',
  start: () => Promise.reject(new Error('later')),
  stop: () => Promise.resolve(),
};
