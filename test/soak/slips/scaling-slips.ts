import { ofMutants, type SoakSlip } from './soak-slip.ts';

const tooSoon =
  'only a way up that begins while pods of the way down are still ready goes on too soon, by less than a second';

/** What is written to dependants, and in which order: the scaler, and the domain of scaling. */
export const scalingSlips: readonly SoakSlip[] = [
  ofMutants(
    'scaling',
    'a conflict counts as a failure',
    'it is tried again a quarter of a second later, and comes to the same',
  ),
  ofMutants('scaling', 'the status from before a write counts', tooSoon),
  ofMutants(
    'scaling',
    'whatever is answered to a patch counts as written',
    'over TLS nobody but the API server answers, and it answers no patch without a version',
  ),
  ofMutants('domain', 'a record without a mark is kept on the way down'),
  ofMutants('domain', 'a mark stays on a dependant that is ignored'),
  ofMutants('domain', 'too few to tell raises what is not ours, and leaves what is'),
  ofMutants('domain', 'a status that has not seen our write counts', tooSoon),
  ofMutants('domain', 'a missing dependant holds up the way down'),
  ofMutants('domain', 'what is stuck on the way up never goes on'),
  {
    file: 'src/domain/prober/due-change.ts',
    find: '  if (view.ignored) return view.marked ? { mark: false } : undefined;\n',
    put: '',
    says: 'a dependant that an operator told us to ignore is scaled',
  },
  {
    file: 'src/domain/prober/scale-step.ts',
    find: "if (written !== 'own' && at < until)",
    put: 'if (at < until && at < levelAt)',
    says: 'the configured delay of a level is not kept',
  },
  {
    file: 'src/domain/prober/scale-step.ts',
    find: "if (isLate && aim !== 'down') return",
    put: 'if (isLate) return',
    says: 'a way down gives up what is late',
    explained: 'the next verdict, 5 s later, makes it go on all the same',
  },
  {
    file: 'src/domain/prober/due-change.ts',
    find: 'return atOnce ? { replicas, mark: false, record: null } : { replicas };',
    put: 'return { replicas, mark: false };',
    says: 'the mark is taken away, and the record is left behind',
    wasTrue: 'the Go watchdog never removed the record',
  },
  {
    file: 'src/domain/prober/due-change.ts',
    find: 'view.replicas > 0 && view.readyReplicas >= 1',
    put: 'view.replicas > 0',
    says: 'the next level goes up before the one below it is ready',
    wasTrue: 'the order of levels was not kept by a watchdog that did not wait for readiness',
  },
];
