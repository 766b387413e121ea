/**
 * How long what a shoot's owner writes may be (SPEC 4.7): in characters, and as long as Kubernetes itself allows where it
 * says so. What is longer is refused where it would be kept.
 */

/** Of an object: a DNS subdomain. */
export const longestName = 253;
/** Of a label, and so of the pool that a node says it is in. */
export const longestPool = 63;
/** Of a node's condition, where Kubernetes names no bound; those in use have some 20. A pool may name none that is longer, so none is missed on a node. */
export const longestCondition = 128;
