import type { Board } from './board.ts'

/** An empty board. */
export declare const createBoard: () => Board
/** For a snapshot, without what is only held. Bytes that `readBoard` takes; another format is undefined there. */
export declare const boardParts: (board: Board) => Generator<Uint8Array>
export declare const readBoard: (bytes: Uint8Array) => Board | undefined
