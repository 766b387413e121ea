// vitest takes a report of ours only as a module's default, and we have no default exports; so this file is CommonJS, which names none.
const { roomTable } = require('./room-table.ts') as Readonly<{ roomTable(files: readonly File[]): string }>;

type Share = Readonly<{ covered: number; total: number }>;
type File = Readonly<{ path: string; lines: Share; branches: Share }>;
type Node = Readonly<{
  getFileCoverage(): Readonly<{ path: string }>;
  getCoverageSummary(): Readonly<Record<'lines' | 'branches', Share>>;
}>;
type Context = Readonly<{
  getTree(summarizer: 'flat'): Readonly<{ visit(visitor: Readonly<{ onDetail(node: Node): void }>): void }>;
}>;

/** Prints how much of each room of `src` the tests have run. */
class ByRoom {
  execute(context: Context): void {
    const files: File[] = [];
    context.getTree('flat').visit({
      onDetail: (node) => {
        const { lines, branches } = node.getCoverageSummary();
        files.push({ path: node.getFileCoverage().path, lines, branches });
      },
    });
    process.stdout.write(`\n${roomTable(files)}\n`);
  }
}

module.exports = ByRoom;
