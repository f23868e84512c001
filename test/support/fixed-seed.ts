import * as fc from 'fast-check';

/**
 * The same examples in every run, so that a red test is red for everybody; PROPERTY_SEED explores others.
 * A failure prints its own seed and path.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_201) });
