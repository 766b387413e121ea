import { ofMutants, type SoakSlip } from './soak-slip.ts';

/** What is kept of a life, and the turns that a replay takes again. */
export const journalSlips: readonly SoakSlip[] = [
  ofMutants('journal', 'a short write tears a line'),
  ofMutants('journal', 'what is in flight at the end is lost'),
  ofMutants('journal', 'one file more than allowed is kept', 'the journal of an hour is a tenth of one file'),
  ofMutants(
    'journal',
    'a slow disk takes the prober’s memory with it',
    'the journal of an hour is less than what may wait for a disk',
  ),
  {
    file: 'src/machines/planning.ts',
    find: 'const { value, rest } = drawChance(chance);',
    put: 'const { value, rest } = drawChance(Math.floor(Math.random() * 2 ** 32));',
    says: 'what a machine decides depends on more than its memory and the event',
  },
];
