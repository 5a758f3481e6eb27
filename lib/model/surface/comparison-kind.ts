/**
 * The kinds of comparison that a column type may lack. `equality`, which grouping needs as well · `order` · `text`: a search for a
 * substring · `folding`: case-insensitive comparison, or full-text search · `extremes`: minimum and maximum · `sum` · `average`
 */
export type ComparisonKind = 'equality' | 'order' | 'text' | 'folding' | 'extremes' | 'sum' | 'average';
