/** The one text of each integer of up to 20 digits: no `+1`, `01`, `-0`, `1.0`, `1e3` or ` 1`. */
export const INTEGER = /^(?:0|-?[1-9]\d{0,19})$/;

/** The texts of numbers, as in JSON: no `+1`, `01`, `.5` or ` 1`. */
export const NUMBER_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;
