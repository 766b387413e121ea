/**
 * Where the embedded seed was found to differ from a real API server, and was mended; the test is the one that found
 * it, and holds it on both. The table of contracts refuses one that is not there any more.
 */
export type Difference = Readonly<{ contract: string; test: string; real: string; embedded: string }>;

export const differences: readonly Difference[] = [
  {
    contract: '429',
    test: '7.3 is no Status but a text, with Retry-After',
    real: 'plain text, `nosniff`, Retry-After; no Status',
    embedded: 'a Status with reason TooManyRequests and `retryAfterSeconds`',
  },
  {
    contract: 'refusals',
    test: '6.6 7.3 a namespace that is not there',
    real: '404 `namespaces "x" not found` for whatever is created there',
    embedded: 'created it; and had neither `default` nor `kube-system`',
  },
  {
    contract: 'refusals',
    test: '6.6 7.3 a collection that is put',
    real: '405 MethodNotAllowed for PUT, and for PATCH',
    embedded: '404 NotFound, as if the object had no name',
  },
  {
    contract: 'seed watch',
    test: '6.6 a watch from a version that the seed has not reached is open, and says nothing',
    real: 'neither changes nor bookmarks until the version is reached',
    embedded: 'told each change at once, and sent bookmarks of older versions',
  },
  {
    contract: 'scale subresource',
    test: '6.6 where nothing is said of the replicas, a kind of Kubernetes has one, and a custom resource has no scale',
    real: '500 InternalError `the spec replicas field ".spec.size" does not exist`',
    embedded: 'a Scale with no replicas',
  },
  {
    contract: 'scale subresource',
    test: '6.6 the uid of what it is of is guarded in the kinds of Kubernetes, and not looked at in custom resources',
    real: '409 Conflict `Precondition failed: UID in precondition`; custom resources are written',
    embedded: '422 `field is immutable` for all of them',
  },
  {
    contract: 'restored seed',
    test: '6.6 no list is of a version that is not reached, and no page of a list of then, by server 0',
    real: '504 Timeout `Too large resource version` for the next page of a list of the lost history too',
    embedded: 'a page of the restored objects, under the lost version',
  },
  {
    contract: 'restored seed',
    test: '6.6 no write goes by what is lost, by server 0',
    real: '409 Conflict for a PUT with the uid of the lost history',
    embedded: '422 `field is immutable`',
  },
  {
    contract: 'restored seed',
    test: '6.6 a list is of what was lost, by server 0',
    real: 'of a server that goes on while etcd is restored, lists and new watches are of the lost history',
    embedded: 'lists and new watches of the restored objects',
  },
  {
    contract: 'restored seed',
    test: '6.6 watches, old and new, are silent until their version is passed, and tell what comes then',
    real: 'watches that were open during the restore tell what comes after the lost version',
    embedded: 'those watches stayed silent for ever',
  },
  {
    contract: 'an API server',
    test: 'a new object has no past: its status is dropped, but not that of a node',
    real: 'a status that comes with a new object is dropped, save a node’s',
    embedded: 'kept it for every kind but pods',
  },
];

/** The differences that remain, and why they do no harm here. */
export const toleratedDifferences: readonly string[] = [
  'A real server reads protobuf, in which `kubectl create namespace x` and its like send what they create; the embedded one reads JSON alone and answers them with 400. `kubectl create -f` sends JSON, as do our clients.',
  'A SelfSubjectAccessReview is answered by the embedded server for resources alone, and no other kind of review is.',
  '`--dry-run=server` is not looked at by the embedded server, which writes; the program asks for no such thing.',
  'A strategic merge patch or an apply patch of a built-in kind is carried out by a real server and answered with 415 by the embedded one; the program sends merge patches only, and to custom resources both answer 415.',
  'A watch that begins at the very change up to which etcd was compacted is told 500 `etcd event received with PrevKv=nil` by a server without a watch cache, and 410 by the embedded one; a stream gets over both.',
  'With its watch cache a real server serves watches and pages from before a compaction for about a minute; so history is compared with `--watch-cache=false`.',
  'A real server sends a bookmark only if its kind has moved on since the watch began, which etcd’s own progress notices see to within a minute; the embedded one sends each of them.',
  'A real server that knows no version as late as the one that is asked for waits 3 s before it answers 504; the embedded one answers at once.',
  'A restored etcd has its history of before the backup, from which a real server answers pages and lists of old versions; the embedded one answers 410. A watch from then is told 410 by both, since the watch cache is new.',
  'A watch with `sendInitialEvents`, or a GET, from a version that is not reached is answered with 504 by a real server, and by the embedded one as if the version were reached; the program sends neither.',
  'The watch cache of a real server that was not started afresh after a restore may learn from etcd’s progress, minutes later, that versions went back; that of the embedded one does not.',
  'An event whose `involvedObject.namespace` is not its own is refused by a real server with 422, and taken by the embedded one; the program never makes one.',
];
