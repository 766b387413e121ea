import { writePath, type KeyPath } from '../domain/config/config-remark.ts';
import { writeGoDuration } from '../domain/go-duration.ts';
import type { WeederConfig } from '../domain/weeder/weeder-config.ts';
import { selectorWords } from './selector-words.ts';
import { wrap } from './wrap.ts';

/** What a configuration means, in plain words for a terminal; what the operator left to its default bears a star. */
export function explainWeederConfig(config: WeederConfig, defaults: readonly KeyPath[]): string[] {
  const length = writeGoDuration(config.watchDuration);
  const star = defaults.map(writePath).includes('watchDuration') ? '*' : '';
  const sentences = [
    'A service is available while any endpoint of it is ready. When it becomes available again, and when it is ' +
      `available as the weeder first sees it, its dependants in its namespace are looked after for ${length}.`,
    'A dependant that waits in CrashLoopBackOff in that time is deleted, so that it starts anew at once. A service ' +
      'that goes and comes back starts the time anew; nothing is deleted while it is not available.',
  ];
  return [
    'Settings',
    `  watchDuration  ${length}${star}`,
    '',
    'Weeding',
    ...sentences.map((text) => wrap(text, 2)),
    '',
    'Services, and the pods that depend on them',
    ...config.services.flatMap(({ name, podSelectors }) => [
      `  ${name}`,
      ...podSelectors.map((selector) => wrap(selectorWords(selector), 6, 4)),
    ]),
    ...(star === '' ? [] : ['', '* the default, since the configuration does not say']),
  ];
}
