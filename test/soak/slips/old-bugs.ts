import { ofMutants, type SoakSlip } from './soak-slip.ts';

const replicasLost = ofMutants('scaling', 'a write is not guarded by the version that was seen');
const blind = ofMutants('machines', 'a way up goes on though the stream of Clusters is out');
const rewound = ofMutants('machines', 'a GET that shows the seed went back is not believed');
const relied = ofMutants('roles', 'a watch that lags behind what a GET shows is relied upon');

/** Mistakes that were really made, here or in the Go watchdog, and are put back. */
export const oldBugs: readonly SoakSlip[] = [
  { ...replicasLost, wasTrue: 'the Go watchdog lost replicas by a stale cache' },
  { ...blind, wasTrue: 'scaling in spite of a blind stream, which law S3 is for' },
  { ...rewound, wasTrue: 'a seed that was restored from a backup was not believed' },
  { ...relied, wasTrue: 'a half-open watch was relied upon after a GET had shown more' },
  {
    file: 'src/domain/prober/due-change.ts',
    find: '  if (view.replicas === 0) return undefined;\n',
    put: '',
    says: 'what stands at 0 is recorded as 0, and stays there',
    wasTrue: 'the Go watchdog lost replicas by a second way down',
  },
  {
    file: 'src/domain/prober/due-change.ts',
    find: '  return recorded ? { replicas: 0 } : { mark: true, record: view.replicas };',
    put: '  return { replicas: 0 };',
    says: 'a kind that needs two writes goes to 0 without a mark',
    wasTrue: 'the Go watchdog scales before it has told who did it',
  },
  {
    file: 'src/domain/prober/scale-flow.ts',
    find: 'return own === level || (',
    put: 'return own >= level || (',
    says: 'all levels are scaled at once',
    wasTrue: 'order was not kept',
  },
  {
    file: 'src/adapters/reflector/reflector.ts',
    find: "state.doing === 'watching' && isOlder(resourceVersion, state.resourceVersion);",
    put: "state.doing === 'watching' && isOlder(resourceVersion, '0');",
    says: 'a watch that tells of an earlier history is believed',
    wasTrue: 'a rewound seed was noticed by the next list only',
    explained: 'a simulated watch that tells of the restored history tells all of it, so what is believed is right',
  },
  {
    file: 'src/adapters/election/leader-election.ts',
    find: 'const until = sentAt + Math.min(',
    put: 'const until = now + leaseDuration + Math.min(',
    says: 'the lead is believed for as long again as the Lease lasts',
    wasTrue: 'client-go counts its renew deadline from the first try that failed',
  },
  {
    file: 'src/adapters/reflector/object-store.ts',
    find: 'const rewound = isOfAnother(resourceVersion);',
    put: 'const rewound = false as boolean;',
    says: 'older versions of a restored seed are taken for late news',
    wasTrue: 'f4d606b: what a restored seed left down stayed so',
  },
  {
    file: 'src/adapters/reflector/stream-state.ts',
    find: "fact.type === 'failed' && fact.retryAfter === undefined;",
    put: "fact.type === 'failed' && fact.retryAfter === undefined && fact.why === 'refused';",
    says: 'after a seed was away its stream goes on from the last version',
    wasTrue: '00c85f7: the counter of a restored seed may have overtaken ours',
    explained: 'a Lease shows that the seed went back, and without one all is listed again a minute later (6.6)',
  },
  {
    file: 'src/adapters/reflector/stream-state.ts',
    find: "(why === 'silent' && wasOpen)",
    put: '(false as boolean)',
    says: 'a silent watch is opened again from a version that a restored seed never had',
    wasTrue: '92b41fe: it waited for that version for ever',
    explained:
      'what was half open is opened again beside a question where the seed stands, which shows that it went back',
  },
  {
    file: 'src/adapters/reflector/reflector.ts',
    find: 'if (await isSeedBehind(',
    put: 'if ((false as boolean) && await isSeedBehind(',
    says: 'a watch that was cut goes on from a version that a restored seed never had',
    wasTrue: '300133 of the soak: what the backup had put down stayed down',
  },
  {
    file: 'src/adapters/election/lease-contest.ts',
    find: 'if (this.#lease !== before && this.#isOlder(lease)) return;',
    put: 'if (this.#isOlder(lease)) return;',
    says: 'on a restored seed no standby ever gets the Lease',
    wasTrue: 'c49eae2: what a GET answered counted as old',
  },
  {
    ...ofMutants('restored seeds', 'what a server told that missed the restore is believed for good'),
    wasTrue: '900030 of the soak: what the backup had put down stayed down',
  },
  {
    ...ofMutants('restored seeds', 'a process that began in a restore lists once'),
    wasTrue: '2100017 of the soak: a shoot that was probed no more stayed down',
  },
  {
    ...ofMutants('restored seeds', 'a process without an election lists nothing again where a watch was cut'),
    wasTrue: 'the soak, with a restore at the very end: what the backup had put down stayed down',
  },
  {
    ...ofMutants('restored seeds', 'who takes the lead believes a server that missed a restore'),
    wasTrue: '1579 of the soak: each deletion was refused until the window closed',
  },
  {
    ...ofMutants('streams', 'what a restored seed gives a version to that is known is taken for what had it before'),
    wasTrue: '65 of the soak: a shoot that came to the same version again was probed no more',
  },
  {
    ...ofMutants('leases', 'what a process finds after it stood still is believed, however old it is'),
    wasTrue: '106 of the soak: a shoot that was back for a minute was scaled down',
  },
  {
    ...ofMutants('weeder-domain', 'a withdrawn deletion is asked for again in the same instant'),
    wasTrue: 'ebfade4: a write that was not permitted starved the whole process',
  },
  {
    ...ofMutants('election', 'a renewal that is under way at the end keeps the Lease held'),
    wasTrue: '42 of the soak: the standby waited for 15 s after a graceful end',
  },
  {
    ...ofMutants('machines', 'what was to be read waits on when a more urgent read takes its place'),
    wasTrue: '1100005 of the soak: while the seed asked to wait, one more GET waited with each probe',
  },
  {
    ...ofMutants('domain', 'what is late on the way down does not wait for what somebody raised below it'),
    wasTrue: '5008 of the soak: of what a backup had raised, two levels went down at once',
  },
  {
    ...ofMutants('scaling', 'of two requests that read a kind, the other one hangs on where one has failed'),
    wasTrue: '9899 of the soak: each second one more hung, for 10 s',
  },
];
