/**
 * What a column type may lack: `equality`, which grouping needs as well · `order` · `text`: a search for a part of a text · `folding`: a comparison
 * regardless of case, or a full-text search · `extremes`: least and greatest value · `sum` · `average`
 */
export type ComparisonKind = 'equality' | 'order' | 'text' | 'folding' | 'extremes' | 'sum' | 'average';
