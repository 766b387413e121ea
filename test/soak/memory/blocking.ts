/**
 * A port of the host, and beyond it the call of the kernel that blocks. The program cannot make that call by its port's type. A slip does, as the program
 * once did with Node's `writeSync`, and then the process stands still for as long as the host.
 */
export type Blocking<Port, Given> = Port & Readonly<{ writeNow(given: Given): void }>;
