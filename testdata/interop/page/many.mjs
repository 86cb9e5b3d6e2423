// Grades of N schemas: many.mjs N. The same N makes the same records.
const stages = ['api-test', 'validation', 'grade', 'production'];
const nouns = ['tides', 'weather', 'prices', 'tokens', 'trains', 'parcels', 'stations', 'quotes', 'charts', 'news'];
const hash = 'sha256:' + 'ab'.repeat(32);
const warnings = [['CMP006', 'main.schemaHash: missing; expected the hash of main'],
  ['CMP005', 'main.schemaVersion: missing; expected the version of the schema\'s content'],
  ['VAL036', 'main.tools.list.output: missing; expected what the tool answers']];
const errors = [['VAL032', 'main.tools.list.method: found "FETCH", expected GET, POST, PUT or DELETE'],
  ['VAL050', 'main.tools.list.parameters[0].position.key (id): the path "/v1/{{di}}" has no {{id}}']];
const found = ([code, message], line) => ({ code, message, pointer: '/tools', line });

let seed = 7;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
const one = (list) => list[Math.floor(random() * list.length)];

for (let n = 0; n < Number(process.argv[2]); n++) {
  const namespace = one(nouns) + n % 40, id = namespace + '/' + one(nouns) + n;
  const path = 'catalog/providers/' + id + '.mjs';
  const fails = random() < 0.1, scored = random() < 0.8, score = Math.round((1 + 4 * Math.sqrt(random())) * 100) / 100;
  const grade = fails ? 'F' : scored ? score >= 4 ? 'A' : score >= 3 ? 'B' : score >= 2 ? 'C' : 'D' : undefined;
  console.log(JSON.stringify({
    v: 1, kind: 'grade', id, schemaId: id, path, fileHash: hash, validatorVersion: 'validation/4.2',
    deterministic: {
      status: fails ? 'FAIL' : 'PASS',
      errors: fails ? [found(one(errors), 59), found(errors[0], 81)] : [],
      warnings: Array.from({ length: Math.floor(random() * 9) }, (_, i) => found(one(warnings), 10 + 7 * i)),
    },
    probabilistic: scored ? { score } : undefined,
    dimensions: scored ? [
      { dimension: 'whenToUse', score, reasoning: 'Says what comes back, but not for which stations.' },
      { dimension: 'parameters', score, reasoning: 'Every parameter has a description.' },
    ] : undefined,
    missing: grade ? undefined : ['probabilistic.score: no score was given'],
    primitives: [namespace + '/tool/list'],
    grade,
    stage: 'stage:' + (fails ? 'validation' : one(stages)),
    next: fails ? [{ needs: 'validation without errors', command: 'fmcp-validate ' + path }] : undefined,
    stale: n % 20 === 3 ? [{ what: 'grade', grade: 'B', fileHash: hash }] : undefined,
  }));
}
