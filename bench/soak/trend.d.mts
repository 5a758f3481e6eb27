export interface Point {
  readonly at: number;
  readonly value: number;
}

export type Quantity = 'rss' | 'heap' | 'external' | 'handles' | 'connections' | 'prepared' | 'latency';

export declare const TOLERANCES: Readonly<Record<Quantity, number>>;

export declare function trendOf(points: readonly Point[]): { readonly mean: number; readonly slope: number; readonly error: number };

export declare function judge(
  name: Quantity,
  points: readonly Point[],
): {
  readonly name: Quantity;
  readonly before: number;
  readonly mean: number;
  readonly growth: number;
  readonly uncertainty: number;
  readonly tolerance: number;
  readonly isTooMuch: boolean;
};
