/** How much of the tests a run has; test/README.md says what each value means. */
export const PROFILE: 'quick' | 'ci' | 'full';
