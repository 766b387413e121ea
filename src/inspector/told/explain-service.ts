import type { WeederLanguage } from '../../machines/kinds.ts';
import { weederMachine } from '../../machines/weeder.ts';
import type { MachineTelling } from './explain-telling.ts';
import { weederFacts } from './explain-weeder.ts';
import { guardWordsIn } from './guard-words.ts';
import { tracedMachine } from './traced-machine.ts';
import { weederGuardWords } from './weeder-guard-words.ts';

export const weederTelling: MachineTelling<WeederLanguage> = {
  trace: tracedMachine<WeederLanguage>(weederMachine),
  decides: () => true,
  words: guardWordsIn(weederGuardWords),
  decision: ({ at }, { after }) => weederFacts(after.context, at),
  leases: () => ({ leases: [], leftOut: 0 }),
};
