/**
 * What one shoot may cost (SPEC 4.7). A shoot belongs to somebody else. Each limit is far above what an honest shoot needs, and
 * low enough that a hostile one harms only itself. A probe that reaches a limit ends as `tooLarge` or `garbled`.
 */

/** Characters. Gardener's kubeconfig has 5,000, with five authorities in a rotation 15,000. Bounds what parsing YAML can cost: 0.2 s at worst. */
export const longestKubeconfig = 65_536;
/** Cached kubeconfigs and TLS contexts (25 KB each); a seed holds some 250 shoots, each with one Secret or two. Beyond this the oldest ones are made again. */
export const mostKept = 2_048;

/** Items of one page, as in client-go. Pages are read as a stream, so their size costs no memory. */
export const pageItems = 500;
/** Twice the nodes of the largest cluster that Kubernetes supports. */
export const mostItems = 10_000;
/** Pages of one list; with 500 items each, 20 are enough. A server that sends empty pages for ever is stopped here. */
export const mostPages = 100;
/** Longer than any continue token of etcd, which contains one key. */
export const longestContinue = 4_096;

/** The characters that are stored of a list, with the JSON around them: 10,000 nodes with names of 63 letters and two conditions each. They go into one event, and so into journal and memory. 8,000 nodes with 32 long conditions each once made an event of 37 MB. */
export const keptCharacters = 1_572_864;

/** Etcd accepts 1.5 MiB for an object, but a node has 12 KB (with all annotations that it may have, 270 KB), and a lease 0.6 KB. What nobody reads, such as `managedFields`, is passed over and does not count. */
export const itemBytes = 294_912;
/** Keys, texts, objects and so on of what is read of an item: of an honest node some 500. An item is parsed at once, so this bounds the longest pause that a list can cause: 5 ms. Bytes do not: 290 KB of keys that were never seen before take 70 ms. */
export const itemValues = 8_192;
/** A list without its items: kind, metadata, and a comma for each item. */
export const frameBytes = 131_072;
/** `/version` has 0.3 KB. */
export const versionBytes = 65_536;
/** Bytes of an answer that is no success; enough for a Status. */
export const refusalBytes = 16_384;
/** Bytes of the status line and the headers of an answer. */
export const headBytes = 16_384;
/** Answers such as 103 before the real one; Kubernetes sends none. */
export const mostEarlyAnswers = 4;

/** All bytes that one probe receives, with headers and chunk marks: 10,000 leases of 1.6 KB, */
export const leasesProbeBytes = 16 * 1_048_576;
/** or 5,000 nodes of 19 KB. */
export const nodesProbeBytes = 96 * 1_048_576;

/** One path is asked for `/version` alone (SPEC 4.9): headers and body. */
export const pathProbeBytes = 262_144;

/** Values that are parsed, in all items of a list: 30 of an honest lease, */
export const leasesProbeValues = 1_000_000;
/** 300 to 500 of a node, */
export const nodesProbeValues = 4_000_000;
/** and 150 of a Machine. The costliest values take 0.25 µs each, honest ones a fifth of that. */
export const machinesProbeValues = 2_500_000;

/** 5,000 Machines of 12 KB. Each contains a copy of its node's conditions, which the shoot's owner can write. */
export const machinesProbeBytes = 64 * 1_048_576;

/** A smaller piece counts as this many bytes: each piece costs a call, and a TLS record of one byte costs as much as one of 1,000. Go writes smaller records than 1,100 only where a buffer or an answer ends. */
export const leastPiece = 1_024;
/** Up to this many bytes an answer is read as it comes: 100 nodes, or 1,500 leases. */
export const lightBytes = 1_048_576;
/** Of a longer answer, this many bytes are read in one turn of the event loop, for one shoot. */
export const sliceBytes = 131_072;

/** Probes that begin in one turn of the event loop. A handshake takes 1.5 ms, and the nodes of a large shoot 8 ms. 250 at once would be a pause of 0.4 s. */
export const startsInTurn = 2;

/** Look-ups of names on external paths that are under way at once. Such a name may lie in a domain whose owner never answers. Of the program's 128 threads half may look names up, so 48 stay for the seed and for the internal paths. */
export const mostOutsideLookups = 16;
/** Of them names that hung or failed last time: an honest name finds a place, however many others hang. */
export const mostSlowLookups = 8;

/** For each of a server's addresses except the last one (ms): a lost first packet is sent again after one second. */
export const longestAttempt = 2_500;
export const shortestAttempt = 250;
