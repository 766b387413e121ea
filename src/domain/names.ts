export type RoleName = 'prober' | 'weeder';

/** The name of a Cluster, which is the name of the shoot's control-plane namespace in the seed (SPEC 3). */
export type ShootNamespace = string & { readonly __name?: 'shoot' };

/**
 * How long the texts of a shoot's owner may be (SPEC 4.7), in characters: as long as Kubernetes itself allows, where it sets a
 * limit. A longer text is refused where it would be kept.
 */

/** The name of an object: a DNS subdomain. */
export const longestName = 253;
/** The value of a label, and so the pool and the zone that a node says it is in. */
export const longestPool = 63;
/** The type of a node's condition: Kubernetes sets no limit, and those in use have some 20. A pool may not name a longer one, so none is missed on a node. */
export const longestCondition = 128;
