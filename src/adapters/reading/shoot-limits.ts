/**
 * What one shoot may cost (SPEC 4.7). A shoot is someone else's: each limit is far above what an honest one needs and
 * low enough that a hostile one costs only itself. Reaching one ends the probe as `tooLarge` or `garbled`.
 */

/** Characters. Gardener's kubeconfig has 5,000, with five authorities in a rotation 15,000. Bounds what parsing YAML can cost: 0.2 s at worst. */
export const longestKubeconfig = 65_536;
/** Kept kubeconfigs and TLS contexts (25 KB each); a seed holds some 250 shoots. Beyond it the oldest are made again. */
export const mostKept = 2_048;

/** Items asked for with each page, as client-go does. Pages are read as a stream, so their size costs no memory. */
export const pageItems = 500;
/** Twice the nodes of the largest cluster that Kubernetes supports. */
export const mostItems = 10_000;
/** Pages of one list; at 500 items 20 are enough. A server that sends empty pages for ever ends here. */
export const mostPages = 100;
/** Longer than any continue token of etcd's, which holds one key. */
export const longestContinue = 4_096;

/** What is kept of a list, in characters, its marks included: 10,000 nodes of 63-letter names with two conditions each. It goes into one event, and with that into journal and memory; 8,000 nodes of 32 long conditions made one of 37 MB. */
export const keptCharacters = 1_572_864;

/** Etcd takes 1.5 MiB an object, yet a node weighs 12 KB, with all the annotations that it may have 270, and a lease 0.6. An item is parsed at once, so this is the longest pause that a list can cause: 15 ms for the worst that fits in. */
export const itemBytes = 294_912;
/** A list without its items: kind, metadata, and a comma for each item. */
export const frameBytes = 131_072;
/** `/version` takes 0.3 KB. */
export const versionBytes = 65_536;
/** Of an answer that is no success; enough for a Status. */
export const refusalBytes = 16_384;
/** Of an answer's status line and headers. */
export const headBytes = 16_384;
/** Answers such as 103 before the real one; Kubernetes sends none. */
export const mostEarlyAnswers = 4;

/** Everything that one probe receives, headers and chunk marks included: 10,000 leases of 1.6 KB, */
export const leasesProbeBytes = 16 * 1_048_576;
/** or 5,000 nodes of 19 KB. */
export const nodesProbeBytes = 96 * 1_048_576;

/** CPU time for reading all that one probe receives (ms): 5,000 leases take 20, */
export const leasesProbeWork = 300;
/** 5,000 nodes of 12 KB 400, */
export const nodesProbeWork = 1_500;
/** and as many Machines 300. */
export const machinesProbeWork = 1_000;

/** 5,000 Machines of 12 KB; theirs hold a copy of the node's conditions, which the shoot's owner can write. */
export const machinesProbeBytes = 64 * 1_048_576;

/** A piece that is smaller counts as so many bytes: each costs a call, a TLS record of one byte as much as one of 1,000. Go writes no record below 1,100, but where a buffer or an answer ends. */
export const leastPiece = 1_024;
/** An answer is read as it comes up to so many bytes: 100 nodes, or 1,500 leases. */
export const lightBytes = 1_048_576;
/** Of what is longer, so much is read in one turn of the event loop, of one shoot: 1 to 7 ms. */
export const sliceBytes = 131_072;

/** Probes that begin in one turn of the event loop. A handshake is 1.5 ms of it, the nodes of a large shoot 8; at once, 250 would be one pause of 0.4 s. */
export const startsInTurn = 2;

/** For each of a server's several addresses but the last (ms): a lost first packet is sent again after one second. */
export const longestAttempt = 2_500;
export const shortestAttempt = 250;
