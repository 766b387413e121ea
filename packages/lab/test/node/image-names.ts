/** Two versions of the program, as a node knows them. They are the same bits: what is tried is the way from one to the other. */
export const images = ['localhost/dependency-watchdog:1', 'localhost/dependency-watchdog:2'] as const;
