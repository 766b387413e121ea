import type { Instant } from '../../domain/time.ts';
import type { WeederTurn } from '../../effects/turn.ts';
import { seconds } from './quantity-words.ts';

/** A command as an operator would tell it: `delete pod etcd-main-0 (deletion 3)`. `at`: the turn's. */
export function weederCommandWords(command: WeederTurn['commands'][number], at: Instant): string {
  switch (command.type) {
    case 'wake':
      return `wake in ${seconds(command.params.at - at)}`;
    case 'watchPods':
      return `watch pods by ${command.params.selectors.map((selector) => `"${selector}"`).join(', ')} (watch ${command.params.number})`;
    case 'leavePods':
      return `end watch ${command.params.number}`;
    case 'deletePod':
      return `delete pod ${command.params.pod.name} (deletion ${command.params.number})`;
    case 'withdraw':
      return `withdraw deletion ${command.params.number}`;
  }
}
