// Types of the files of a FlowMCP catalog, version 4 of the specification. Above an export:
//
//     /** @type {import('…/flowmcp.d.ts').Main} */
//
// Written by make docs, from pkg/fields. fmcp-validate checks more: what depends on other
// fields, on other files, or on the meaning of a text.

/** A schema: the tools, resources and prompts of one provider. */
export interface Main {
    /**
     * The provider's name, which every ID begins with.
     *
     * Limits: lower-case letters, digits and hyphens, a letter first.
     */
    namespace: string;
    /**
     * The name of the schema that people read, in PascalCase.
     *
     * Limits: not empty.
     */
    name: string;
    /**
     * What the schema does, in one or two sentences; a search for tools finds it by this text.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * The version of the FlowMCP specification that the schema is written for.
     *
     * Limits: 4.x.y; 3.x.y is deprecated.
     */
    version: string;
    /**
     * The version of the schema's content, which its author raises.
     *
     * Limits: three numbers with dots between them.
     *
     * Recommended.
     */
    schemaVersion?: string;
    /**
     * The hash of main without this field; fmcp-validate says what it is.
     *
     * Limits: 8 hex digits.
     *
     * Recommended.
     */
    schemaHash?: string;
    /**
     * The URL that the paths of all tools begin with; it may be empty where no tool sends a request.
     *
     * Limits: starts with https://, without a slash at the end.
     *
     * Required where there are tools.
     */
    root?: string;
    /**
     * The tools, each under the name that it is called by.
     *
     * Limits: at most 8 entries; keys: camelCase: letters and digits, a lower-case letter first.
     *
     * Required where there are no resources or prompts.
     */
    tools?: { [name: string]: Tool };
    /**
     * Addresses of the documentation of the API.
     *
     * @default []
     */
    docs?: string[];
    /**
     * The address of the provider's terms of service, for information.
     *
     * Limits: a URL.
     *
     * @default null
     */
    termsOfService?: string | null;
    /**
     * The day on which somebody last read the terms of service.
     *
     * Limits: YYYY-MM-DD.
     *
     * @default null
     */
    termsOfServiceCheckedAt?: string | null;
    /**
     * The language of the terms of service.
     *
     * Limits: two letters, or multi.
     *
     * @default null
     */
    termsOfServiceLanguage?: string | null;
    /**
     * The address of the licence of the data.
     *
     * Limits: a URL.
     *
     * @default null
     */
    dataLicense?: string | null;
    /**
     * The name of the licence of the data, such as CC-BY-4.0.
     *
     * @default null
     */
    dataLicenseName?: string | null;
    /**
     * Words to find the schema by.
     *
     * @default []
     */
    tags?: string[];
    /**
     * Names of the keys that calls need; {{SERVER_PARAM:NAME}} is where one is placed.
     *
     * @default []
     */
    requiredServerParams?: string[];
    /**
     * The npm packages that the handlers use, which the user has to allow.
     *
     * @default []
     */
    requiredLibraries?: string[];
    /**
     * Headers of every request.
     *
     * @default {}
     */
    headers?: { [name: string]: string };
    /**
     * The shared lists that enums and handlers use.
     *
     * @default []
     */
    sharedLists?: ListReference[];
    /**
     * Databases and documents, each under the name that it is called by.
     *
     * Limits: at most 2 entries; keys: camelCase: letters and digits, a lower-case letter first.
     *
     * @default {}
     */
    resources?: { [name: string]: Resource };
    /**
     * Not read: what it says belongs in the tools.
     *
     * @deprecated write meta in each tool
     */
    meta?: unknown;
    /**
     * Prompts that teach the use of the tools.
     *
     * @default {}
     */
    prompts?: { [name: string]: ProviderPrompt };
    /**
     * The tools, as versions 1 and 2 call them.
     *
     * Limits: at most 8 entries; keys: camelCase: letters and digits, a lower-case letter first.
     *
     * @deprecated write tools
     */
    routes?: { [name: string]: Tool };
}

/** A request that an AI client can have made, as a tool. */
export interface Tool {
    /** The HTTP method; GET and DELETE send no body. */
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /**
     * What follows root; {{key}} is where the insert parameter key is placed.
     *
     * Limits: starts with /.
     */
    path: string;
    /**
     * What the tool returns and when to use it; the AI client chooses by this text.
     *
     * Limits: not empty.
     */
    description: string;
    /** The values that the request sends, whether the caller, the server or the schema gives them. */
    parameters: Parameter[];
    /**
     * What the answer looks like.
     *
     * Recommended.
     */
    output?: Output;
    /** Lets answers that seldom change be kept. */
    preload?: Preload;
    /**
     * Calls that work, with real values.
     *
     * Limits: at least 3 elements.
     */
    tests: Test[];
    /**
     * Headers of the tool's requests, which win over those of main.
     *
     * @default {}
     */
    headers?: { [name: string]: string };
    /** What an AI client should know before it calls the tool. */
    meta: ToolMeta;
    /**
     * Reserved, without effect.
     *
     * @deprecated write nothing
     */
    async?: unknown;
}

/** What an AI client should know before it calls a tool. */
export interface ToolMeta {
    /** The tool changes nothing; it may be called without asking the user. */
    isReadOnly: boolean;
    /** Several calls may run at the same time. */
    isConcurrencySafe: boolean;
    /** A call can change what cannot be restored. */
    isDestructive: boolean;
    /**
     * Words that somebody would search for.
     *
     * Limits: not empty.
     */
    searchHint: string;
    /** Other names to find the tool by; [] for none. */
    aliases: string[];
    /** Clients that load tools on demand have this one from the start. */
    alwaysLoad: boolean;
}

/** For how long answers of a tool may be kept. */
export interface Preload {
    /** Whether answers are kept. */
    enabled: boolean;
    /**
     * For how many seconds: 86400 is a day.
     *
     * Limits: at least 1; whole.
     */
    ttl: number;
    /** What is kept, and how large it is. */
    description?: string;
}

/** One value that a request sends. */
export interface Parameter {
    /** Where in the request the value goes. */
    position: Position;
    /** What the value may be. */
    z: Z;
    /** What the value means, for the AI client. */
    description?: string;
}

/** Where in a request a value goes. */
export interface Position {
    /**
     * The name of the parameter, as the API has it.
     *
     * Limits: not empty.
     */
    key: string;
    /** {{USER_PARAM}} for what the caller gives, {{SERVER_PARAM:NAME}} for a key, or a fixed value. */
    value: '{{USER_PARAM}}' | `{{SERVER_PARAM:${string}}}` | (string & {});
    /** insert is the place {{key}} of the path, query comes after the ?, and body is JSON. */
    location: 'insert' | 'query' | 'body';
}

/** What a value may be. */
export interface Z {
    /** The type of the value; enum(A,B) lists its values, enum({{list:field}}) has those of a shared list. */
    primitive: 'string()' | 'number()' | 'boolean()' | `enum(${string})` | 'array()' | 'object()';
    /** Its limits, such as min(1), max(100) and length(42), and optional() or default(value). */
    options: ('optional()' | `default(${string})` | `min(${string})` | `max(${string})` | `length(${string})` | (string & {}))[];
    /** What the value means, for the AI client. */
    description?: string;
}

/** What an answer looks like. */
export interface Output {
    /** JSON, an image as base64, or a text of any kind. */
    mimeType: 'application/json' | 'image/png' | 'text/plain';
    /** The parts of the answer. */
    schema: OutputSchema;
    /** What the answer means. */
    description?: string;
}

/** A part of an answer, in a subset of JSON Schema, at most four levels deep. */
export interface OutputSchema {
    /** The type of the value. */
    type: 'string' | 'number' | 'boolean' | 'object' | 'array';
    /** The fields of an object, with type object only. */
    properties?: { [name: string]: OutputSchema };
    /** The elements of an array, with type array only. */
    items?: OutputSchema;
    /** What the value means. */
    description?: string;
    /**
     * The value may be null.
     *
     * @default false
     */
    nullable?: boolean;
    /**
     * The values that there are.
     *
     * Limits: not empty.
     */
    enum?: unknown[];
    /** The form of a text. */
    format?: 'base64' | 'date-time' | 'uri' | (string & {});
}

/** A call that works: a value for each parameter that the caller gives, under its key. */
export interface Test {
    /**
     * What the test shows.
     *
     * Limits: not empty.
     */
    _description: string;
    [name: string]: unknown;
}

/** A shared list that a schema uses. */
export interface ListReference {
    /**
     * The name of the list.
     *
     * Limits: camelCase: letters and digits, a lower-case letter first.
     */
    ref: string;
    /**
     * The version of the list that the schema is written for.
     *
     * Limits: three numbers with dots between them.
     */
    version: string;
    /** Which entries are used; all without it. */
    filter?: ListFilter;
}

/** Which entries of a list are used, by exactly one of exists, value and in. */
export interface ListFilter {
    /**
     * The field of the entries that decides.
     *
     * Limits: not empty.
     */
    key: string;
    /** true for the entries that have the field. */
    exists?: boolean;
    /** The value that the field must have. */
    value?: unknown;
    /** The values, one of which the field must have. */
    in?: unknown[];
}

/** A database or a document that AI clients can read. */
export type Resource = SqliteResource | GtfsResource | MarkdownResource | HttpResource;

/** A SQLite database. */
export interface SqliteResource {
    /** What the resource is made of. */
    source: 'sqlite';
    /** in-memory is for reading, file-based for a database that queries write to. */
    mode: 'in-memory' | 'file-based';
    /**
     * The folder of the file: ~/.flowmcp/resources, .flowmcp/resources, or resources beside the schema.
     *
     * Required unless there is database.
     */
    origin?: 'global' | 'project' | 'inline';
    /**
     * The name of the file.
     *
     * Limits: ends with .db, without folders.
     *
     * Required unless there is database.
     */
    name?: string;
    /**
     * What the resource holds.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * Its address for MCP clients, such as weather://stations; otherwise it is made of the ID.
     *
     * Limits: not empty.
     */
    uri?: string;
    /**
     * The queries, each under the name that it is called by; {} leaves runSql and describeTables.
     *
     * Limits: at most 7 entries; keys: camelCase: letters and digits, a lower-case letter first.
     */
    queries: { [name: string]: Query };
    /**
     * The path of the file, as version 3.0 has it.
     *
     * Limits: not empty.
     *
     * @deprecated write origin and name
     */
    database?: string;
}

/** A timetable in a SQLite database that an add-on has made of a GTFS feed. */
export interface GtfsResource {
    /** What the resource is made of. */
    source: 'sqlite-gtfs';
    /** How the database is opened. */
    mode: 'file-based';
    /**
     * The absolute path of the file, or one that begins with ${FLOWMCP_RESOURCES}.
     *
     * Limits: not empty.
     */
    path: string;
    /**
     * The add-on that made the database.
     *
     * Limits: not empty.
     */
    addon: string;
    /**
     * Which versions of the add-on, such as >=0.1.0.
     *
     * Limits: not empty.
     */
    addonVersion?: string;
    /**
     * Where the add-on is from.
     *
     * Limits: github: and a repository.
     */
    addonSource?: string;
    /**
     * What the resource holds.
     *
     * Limits: not empty.
     */
    description?: string;
    /**
     * Its address for MCP clients, such as weather://stations; otherwise it is made of the ID.
     *
     * Limits: not empty.
     */
    uri?: string;
    /**
     * Queries beside those that the add-on provides.
     *
     * Limits: at most 7 entries; keys: camelCase: letters and digits, a lower-case letter first.
     *
     * @default {}
     */
    queries?: { [name: string]: Query };
}

/** A document, read whole or in part. */
export interface MarkdownResource {
    /** What the resource is made of. */
    source: 'markdown';
    /** The folder of the file: inline is the folder resources beside the schema. */
    origin: 'global' | 'project' | 'inline';
    /**
     * The name of the file.
     *
     * Limits: ends with .md, without folders.
     */
    name: string;
    /**
     * What the resource holds.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * Its address for MCP clients, such as weather://stations; otherwise it is made of the ID.
     *
     * Limits: not empty.
     */
    uri?: string;
}

/** A SQLite database that is downloaded and kept. */
export interface HttpResource {
    /** What the resource is made of. */
    source: 'http';
    /**
     * Where the database is.
     *
     * Limits: starts with https://.
     */
    url: string;
    /**
     * The file that it is kept in.
     *
     * Limits: ends with .db.
     */
    path: string;
    /**
     * After how many seconds it is downloaded again: 86400 is a day.
     *
     * Limits: more than 0.
     */
    cacheTtl: number;
    /**
     * What the resource holds.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * Its address for MCP clients, such as weather://stations; otherwise it is made of the ID.
     *
     * Limits: not empty.
     */
    uri?: string;
    /**
     * The queries, each under the name that it is called by; {} leaves runSql and describeTables.
     *
     * Limits: at most 7 entries; keys: camelCase: letters and digits, a lower-case letter first.
     */
    queries: { [name: string]: Query };
}

/** A statement that AI clients can have run, as a tool. */
export interface Query {
    /**
     * The statement; parameters fill its ? in their order.
     *
     * Limits: not empty.
     */
    sql: string;
    /**
     * What the query returns and when to use it.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * Its address for MCP clients, such as weather://stations/{id}; otherwise it is made of the ID.
     *
     * Limits: not empty.
     */
    uri?: string;
    /** The values that fill the ? of the statement. */
    parameters: QueryParameter[];
    /** What the rows look like: an array of objects. */
    output: Output;
    /**
     * Calls that work, with real values.
     *
     * Limits: at least 3 elements.
     */
    tests: Test[];
}

/** One value that a statement gets. */
export interface QueryParameter {
    /** Where the value comes from. */
    position: QueryPosition;
    /** What the value may be; array() and object() are not possible. */
    z: Z;
    /** What the value means, for the AI client. */
    description?: string;
}

/** Where the value of a query's parameter comes from. */
export interface QueryPosition {
    /**
     * The name of the parameter.
     *
     * Limits: not empty.
     */
    key: string;
    /** {{USER_PARAM}} for what the caller gives, or a fixed value. */
    value: '{{USER_PARAM}}' | (string & {});
}

/** A prompt for the tools of one provider, for any model. */
export interface ProviderPrompt {
    /**
     * The name, which its ID ends with.
     *
     * Limits: lower-case letters, digits and hyphens, a letter first.
     */
    name: string;
    /** The version of the format. */
    version: 'flowmcp-prompt/1.0.0';
    /**
     * The provider.
     *
     * Limits: lower-case letters, digits and hyphens, a letter first.
     */
    namespace: string;
    /**
     * What the prompt teaches.
     *
     * Limits: not empty; at most 1024 characters.
     */
    description: string;
    /** Names of the tools that it is about, of the same namespace. */
    dependsOn: string[];
    /** IDs of other prompts that belong to it, namespace/prompt/name; [] for none. */
    references: string[];
    /**
     * The file that exports the text as content, relative to the schema.
     *
     * Limits: ends with .mjs.
     */
    contentFile: string;
}

/** A text that teaches the use of tools. */
export type Prompt = ProviderPrompt | AgentPrompt;

/** A prompt of an agent, for the model that it was tried with. */
export interface AgentPrompt {
    /**
     * The name, which its ID ends with.
     *
     * Limits: lower-case letters, digits and hyphens, a letter first.
     */
    name: string;
    /** The version of the format. */
    version: 'flowmcp-prompt/1.0.0';
    /**
     * The agent, by the name of its folder.
     *
     * Limits: lower-case letters, digits and hyphens, a letter first.
     */
    agent: string;
    /**
     * What the prompt teaches.
     *
     * Limits: not empty; at most 1024 characters.
     */
    description: string;
    /**
     * The model that the prompt was tried with.
     *
     * Limits: organization/model.
     */
    testedWith: string;
    /** IDs of the tools that it is about, namespace/tool/name. */
    dependsOn: string[];
    /** IDs of other prompts that belong to it, namespace/prompt/name; [] for none. */
    references: string[];
    /**
     * The text; {{tool:ID}} and {{input:key}} are filled in.
     *
     * Limits: not empty.
     */
    content: string;
}

/** Instructions that lead a model through a task, step by step. */
export interface Skill {
    /**
     * The name, which is that of the file.
     *
     * Limits: at most 64 lower-case letters, digits and hyphens.
     */
    name: string;
    /** The version of the format, the same for skills, selections and agents. */
    version: 'flowmcp/4.0.0' | 'flowmcp/3.0.0' | 'flowmcp-skill/1.0.0';
    /** What the skill belongs to, as its folder says. */
    type: 'namespace' | 'selection' | 'agent';
    /**
     * What the skill does and what comes out.
     *
     * Limits: not empty; at most 1024 characters.
     */
    description: string;
    /**
     * When a model should use it, in one sentence.
     *
     * Limits: not empty.
     */
    whenToUse: string;
    /**
     * What it needs.
     *
     * @default {}
     */
    requires?: SkillRequires;
    /**
     * The values that the user gives.
     *
     * @default []
     */
    input?: SkillInput[];
    /**
     * Format and parts of the result.
     *
     * Limits: not empty.
     */
    output: string;
    /**
     * The instructions; {{tool:name}}, {{resource:name}} and {{input:key}} are filled in.
     *
     * Limits: not empty.
     */
    content: string;
    /**
     * Calls that are made before the skill is delivered; the text shows their answers.
     *
     * @default []
     */
    prefill?: SkillPrefill[];
    /** The model that an agent's skill was tried with; fmcp does not read it. */
    testedWith?: string;
}

/** What a skill needs. */
export interface SkillRequires {
    /**
     * Tools, by name in the skill's own scope, or by ID.
     *
     * @default []
     */
    tools?: string[];
    /**
     * Resources, by name in the skill's own scope, or by ID.
     *
     * @default []
     */
    resources?: string[];
    /**
     * What else the model must be able to do, in words.
     *
     * @default []
     */
    external?: unknown;
}

/** A value that the user gives. */
export interface SkillInput {
    /**
     * The name that {{input:key}} has.
     *
     * Limits: camelCase: letters and digits, a lower-case letter first.
     */
    key: string;
    /** The type of the value. */
    type: 'string' | 'number' | 'boolean' | 'enum';
    /**
     * What the value means, with an example.
     *
     * Limits: not empty.
     */
    description: string;
    /** Whether the skill needs it. */
    required: boolean;
    /**
     * The values of an enum.
     *
     * Limits: not empty.
     *
     * Required with type enum.
     */
    values?: string[];
}

/** A call that is made before the skill is delivered. */
export interface SkillPrefill {
    /**
     * The ID of a read-only tool, or of a resource.
     *
     * Limits: not empty.
     */
    tool: string;
    /**
     * The values of its parameters; {{input:key}} is what the user gives.
     *
     * @default {}
     */
    params?: { [name: string]: unknown };
}

/** Values that several schemas share. */
export interface List {
    /** What the list holds. */
    meta: ListMeta;
    /**
     * The entries: objects with the fields that meta.fields defines.
     *
     * Limits: not empty.
     */
    entries: { [name: string]: unknown }[];
}

/** What a list holds. */
export interface ListMeta {
    /**
     * The name that schemas refer to.
     *
     * Limits: camelCase: letters and digits, a lower-case letter first.
     */
    name: string;
    /**
     * The version; removing a field or an entry needs a new major one.
     *
     * Limits: three numbers with dots between them.
     */
    version: string;
    /**
     * What the list holds, in one sentence.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * The fields of the entries.
     *
     * Limits: not empty.
     */
    fields: ListField[];
    /**
     * The lists that this one depends on.
     *
     * @default []
     */
    dependsOn?: ListDependency[];
    [name: string]: unknown;
}

/** A field of the entries of a list. */
export interface ListField {
    /**
     * The name of the field.
     *
     * Limits: not empty.
     */
    key: string;
    /** The type of its values. */
    type: 'string' | 'number' | 'boolean';
    /**
     * What it holds.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * Entries may lack it.
     *
     * @default false
     */
    optional?: boolean;
}

/** A list that another depends on. */
export interface ListDependency {
    /**
     * The name of the list.
     *
     * Limits: not empty.
     */
    ref: string;
    /**
     * The version of the list.
     *
     * Limits: three numbers with dots between them.
     */
    version: string;
    /** Which entry of that list this one is about. */
    condition?: ListCondition;
}

/** An entry of another list. */
export interface ListCondition {
    /**
     * The field of the entry that decides.
     *
     * Limits: not empty.
     */
    field: string;
    /** The value that it has. */
    value: string | number | boolean;
}

/** Tools, skills, resources and prompts that belong together for a purpose. */
export interface Selection {
    /**
     * The name that its ID begins with.
     *
     * Limits: lower-case letters, digits and hyphens, a letter first.
     */
    namespace: string;
    /**
     * The name that its ID ends with, in kebab-case.
     *
     * Limits: not empty.
     */
    name: string;
    /** The version of the format, the same for skills, selections and agents. */
    version: 'flowmcp/4.0.0' | 'flowmcp/3.0.0';
    /**
     * What the selection provides.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * When an agent should activate it, in one sentence.
     *
     * Limits: not empty.
     */
    whenToUse: string;
    /** IDs of tools, namespace/tool/name; [] for none. */
    tools: string[] | { [name: string]: null };
    /** IDs of skills, or files of its own under their names; [] for none. */
    skills: (string | SkillFile | Skill)[] | { [name: string]: null | SkillFile | Skill };
    /** IDs of resources; [] for none. */
    resources: string[] | { [name: string]: null };
    /** IDs of prompts; [] for none. */
    prompts: string[] | { [name: string]: null };
}

/** A skill in a file. */
export interface SkillFile {
    /**
     * The file, relative to the one that names it.
     *
     * Limits: ends with .mjs.
     */
    file: string;
}

/** A model with a task, and the tools, skills and prompts for it. */
export interface Agent {
    /**
     * The name, which is that of the folder.
     *
     * Limits: lower-case letters, digits and hyphens, a letter first.
     */
    name: string;
    /**
     * What the agent is for.
     *
     * Limits: not empty.
     */
    description: string;
    /** The version of the format, the same for skills, selections and agents. */
    version: 'flowmcp/4.0.0' | 'flowmcp/3.0.0';
    /**
     * The model, as OpenRouter names it.
     *
     * Limits: provider/model-name.
     */
    model: string;
    /**
     * Who the agent is and how it behaves.
     *
     * Limits: not empty.
     */
    systemPrompt: string;
    /**
     * Tools of the catalog by their IDs, with null, and tools of its own under their names.
     *
     * Limits: not empty.
     */
    tools: { [name: string]: null | AgentTool };
    /**
     * Questions of users, and the tools that answer them.
     *
     * Limits: at least 3 elements.
     */
    tests: AgentTest[];
    /**
     * How many rounds of calls a conversation has at most.
     *
     * Limits: at least 1; whole.
     *
     * @default 10
     */
    maxRounds?: number;
    /**
     * How many tokens an answer has at most.
     *
     * Limits: at least 1; whole.
     *
     * @default 4096
     */
    maxTokens?: number;
    /**
     * Texts that explain: prompts of providers by ID, with null, and files of its own.
     *
     * @default {}
     */
    prompts?: { [name: string]: null | PromptFile };
    /**
     * Its skills, in files of its own.
     *
     * Limits: at most 4 entries; keys: without a slash.
     *
     * @default {}
     */
    skills?: { [name: string]: SkillFile };
    /**
     * Resources of the catalog by ID, with null, and resources of its own under their names.
     *
     * @default {}
     */
    resources?: { [name: string]: null | Resource | { [name: string]: unknown } };
    /**
     * Names of the shared lists that its own tools use.
     *
     * @default []
     */
    sharedLists?: string[];
    /** What the agent is given, as JSON Schema. */
    inputSchema?: { [name: string]: unknown };
    /**
     * IDs of the selections that are loaded with it, namespace/selection/name.
     *
     * @default []
     */
    selections?: string[];
    /** What it may ask its user while it works. */
    elicitation?: Elicitation;
    /** The hash of its tools; fmcp-resolve agent rehash writes it. */
    hash?: unknown;
    /** The prompt `about`, written in the manifest. */
    about?: AgentAbout;
}

/** A prompt in a file. */
export interface PromptFile {
    /**
     * The file, which exports content, relative to agent.mjs.
     *
     * Limits: ends with .mjs.
     */
    file: string;
}

/** A tool that an agent defines itself. */
export interface AgentTool {
    /**
     * The URL that the path follows; without it the agent does not start.
     *
     * Limits: starts with https://.
     *
     * Recommended.
     */
    root?: string;
    /** The HTTP method; GET and DELETE send no body. */
    method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /**
     * What follows root; {{key}} is where the insert parameter key is placed.
     *
     * Limits: starts with /.
     */
    path: string;
    /**
     * What the tool returns and when to use it; the AI client chooses by this text.
     *
     * Limits: not empty.
     */
    description: string;
    /** The values that the request sends, whether the caller, the server or the schema gives them. */
    parameters?: Parameter[];
    /**
     * What the answer looks like.
     *
     * Recommended.
     */
    output?: Output;
    /** Lets answers that seldom change be kept. */
    preload?: Preload;
    /**
     * Calls that work, with real values.
     *
     * Limits: at least 3 elements.
     */
    tests?: Test[];
    /**
     * Headers of the tool's requests, which win over those of main.
     *
     * @default {}
     */
    headers?: { [name: string]: string };
    /** What an AI client should know before it calls the tool. */
    meta?: ToolMeta;
    /**
     * Reserved, without effect.
     *
     * @deprecated write nothing
     */
    async?: unknown;
}

/** The prompt `about` of an agent. */
export interface AgentAbout {
    /**
     * The text.
     *
     * Limits: not empty.
     */
    content?: string;
}

/** A question of a user, and what answers it. */
export interface AgentTest {
    /**
     * What the test shows.
     *
     * Limits: not empty.
     */
    _description: string;
    /**
     * The question, as a user would ask it.
     *
     * Limits: not empty.
     */
    input: string;
    /**
     * IDs of the tools that must be called.
     *
     * Limits: not empty.
     */
    expectedTools: string[];
    /**
     * Texts that the answer must contain; case does not matter.
     *
     * Limits: not empty.
     */
    expectedContent?: string[];
}

/** What an agent may ask its user while it works. */
export interface Elicitation {
    /** Whether it may ask. */
    enabled: boolean;
    /**
     * How often it may ask in a conversation.
     *
     * Limits: at least 1; whole.
     */
    maxRounds: number;
    /**
     * Questions that are known in advance.
     *
     * @default []
     */
    requestedSchemas?: ElicitationTemplate[];
}

/** A question to a user. */
export interface ElicitationTemplate {
    /**
     * What the user is asked.
     *
     * Limits: not empty.
     */
    message: string;
    /** What the answer looks like. */
    requestedSchema: ElicitationSchema;
}

/** The form that a user fills in, as JSON Schema. */
export interface ElicitationSchema {
    /** Always object. */
    type: 'object';
    /** The fields of the form. */
    properties: { [name: string]: ElicitationProperty };
    /**
     * The fields that the user must fill in.
     *
     * @default []
     */
    required?: string[];
}

/** A field of a form. */
export interface ElicitationProperty {
    /** The type of the value. */
    type: 'string' | 'number' | 'integer' | 'boolean';
    /** The label of the field. */
    title?: unknown;
    /** What the value means. */
    description?: unknown;
    /** The values to choose from. */
    enum?: unknown;
    /** The value that the field starts with. */
    default?: unknown;
}

/** The manifest of a catalog, registry.json. */
export interface Registry {
    /**
     * The name of the catalog, which is that of its folder.
     *
     * Limits: not empty.
     */
    name: string;
    /**
     * The version of the catalog.
     *
     * Limits: three numbers with dots between them.
     */
    version: string;
    /**
     * What the catalog is for.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * The version of the FlowMCP specification that the catalog is written for.
     *
     * Limits: three numbers with dots between them.
     */
    schemaSpec: string;
    /** The hash of all files; fmcp-resolve registry build writes it. */
    contentHash?: unknown;
    /** The shared lists; [] for none. */
    shared: RegistryList[];
    /** The schemas; [] for none. */
    schemas: RegistrySchema[];
    /** The agents; [] for none. */
    agents: RegistryAgent[];
    /**
     * The selections.
     *
     * @default []
     */
    selections?: RegistrySelection[];
}

/** A shared list of a catalog. */
export interface RegistryList {
    /**
     * The name that its meta has.
     *
     * Limits: not empty.
     */
    name: string;
    /**
     * The file, relative to registry.json.
     *
     * Limits: ends with .mjs.
     */
    file: string;
}

/** A schema of a catalog. */
export interface RegistrySchema {
    /**
     * The namespace of the schema.
     *
     * Limits: not empty.
     */
    namespace: string;
    /**
     * The file, relative to registry.json.
     *
     * Limits: ends with .mjs.
     */
    file: string;
    /**
     * The name of the schema.
     *
     * Limits: not empty.
     */
    name: string;
    /** The keys that the schema needs; [] for none. */
    requiredServerParams: string[];
    /** Whether the schema exports handlers. */
    hasHandlers: boolean;
    /** The shared lists that the schema uses; [] for none. */
    sharedLists: string[];
}

/** An agent of a catalog. */
export interface RegistryAgent {
    /**
     * The name of the agent's folder.
     *
     * Limits: not empty.
     */
    name: string;
    /**
     * What the agent is for.
     *
     * Limits: not empty.
     */
    description: string;
    /**
     * The manifest of the agent, relative to registry.json.
     *
     * Limits: ends with agent.mjs.
     */
    manifest: string;
    /** The prompts of the agent. */
    prompts?: unknown;
    /** The skills of the agent. */
    skills?: unknown;
    /** The resources of the agent. */
    resources?: unknown;
}

/** A selection of a catalog. */
export interface RegistrySelection {
    /**
     * The file, relative to registry.json.
     *
     * Limits: ends with .mjs.
     */
    file: string;
    /**
     * The namespace of the selection.
     *
     * Limits: not empty.
     */
    namespace?: string;
    /**
     * The name of the selection.
     *
     * Limits: not empty.
     */
    name?: string;
    /**
     * What the selection provides.
     *
     * Limits: not empty.
     */
    description?: string;
}


/** The request that is made, as handlers see it. */
export interface Struct {
    url: string;
    method: string;
    headers: { [name: string]: string };
    body?: unknown;
    status?: boolean;
    messages?: string[];
    data?: unknown;
}

/** What the caller gives, under the keys of the parameters, and the request. */
export interface Payload {
    [key: string]: any;
}

/** What may be done to one tool's calls. */
export interface Handler {
    /** Changes the request before it is made. */
    preRequest?: (input: { struct: Struct; payload: Payload }) =>
        Promise<{ struct: Struct; payload: Payload }> | { struct: Struct; payload: Payload };
    /** Makes the request itself; only here is there a fetch. */
    executeRequest?: (input: { struct: Struct; payload: Payload }) =>
        Promise<{ response: unknown } | { struct: Struct }> | { response: unknown } | { struct: Struct };
    /** Changes the answer. */
    postRequest?: (input: { response: any; struct: Struct; payload: Payload }) =>
        Promise<{ response: unknown }> | { response: unknown };
}

/** The export handlers: a factory of handlers, by tool, or by resource and query. */
export type Handlers = (dependencies: {
    sharedLists: { readonly [name: string]: ReadonlyArray<{ readonly [key: string]: any }> };
    libraries: { readonly [name: string]: any };
}) => { [tool: string]: Handler | { [query: string]: Handler } };
