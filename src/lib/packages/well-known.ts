import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';

const PYTHON: ReadonlySet<string> = new Set(
  `aiohttp alembic anyio arrow asyncpg attrs babel beautifulsoup4 black bleach boto3 botocore bottle celery certifi cffi chardet
    click colorama coverage cryptography cython dask django djangorestframework dnspython docker docutils faker fastapi filelock flake8
    flask fsspec gevent google-auth graphene grpcio gunicorn h11 httpx hypothesis idna itsdangerous jinja2 jmespath joblib jsonschema
    keras kombu lxml mako markdown markupsafe marshmallow matplotlib mock mypy mysqlclient networkx nltk nose notebook numpy oauthlib
    openai opencv-python openpyxl packaging pandas paramiko pathspec pendulum pillow pip platformdirs pluggy poetry protobuf psutil
    psycopg2 psycopg2-binary pyarrow pyasn1 pycparser pydantic pygments pyjwt pylint pymongo pymysql pyparsing pytest pytest-cov
    python-dateutil python-dotenv pytz pyyaml redis regex requests requests-oauthlib rich rsa ruff scikit-learn scipy scrapy seaborn
    selenium sentry-sdk setuptools simplejson six sphinx sqlalchemy starlette sympy tabulate tenacity tensorflow toml tomli torch
    tornado tox tqdm transformers twisted typer typing-extensions tzdata ujson urllib3 uvicorn virtualenv websockets werkzeug wheel
    wrapt xlrd zipp`.split(/\s+/),
);

const JAVASCRIPT: ReadonlySet<string> = new Set(
  `ajv angular async autoprefixer axios babel bcrypt better-sqlite3 bluebird body-parser bootstrap chai chalk cheerio
    chokidar classnames colors commander compression cookie-parser core-js cors cross-env cross-spawn crypto-js d3 date-fns dayjs
    debug discord.js dotenv ejs electron ember enzyme esbuild eslint ethers execa express fastify formik framer-motion fs-extra
    glob got graphql gulp handlebars helmet husky immer immutable inquirer ioredis jest joi jquery js-yaml jsdom jsonwebtoken
    karma knex koa left-pad less lodash luxon mariadb marked mime minimatch minimist mkdirp mobx mocha moment mongodb mongoose
    morgan multer mysql mysql2 nanoid next node-fetch nodemailer nodemon nuxt ora passport path-to-regexp pino playwright
    postcss preact prettier prisma prop-types puppeteer qs ramda react react-dom react-redux react-router react-router-dom
    redis redux request rimraf rollup rxjs sass semver sequelize serve sharp sinon socket.io socket.io-client sqlite3
    styled-components supertest svelte tailwindcss three tslib turbo typeorm typescript uglify-js underscore undici uuid validator
    vite vitest vue vuex webpack webpack-cli winston ws xml2js yaml yargs zod zustand`.split(/\s+/),
);

/** Packages that many projects use, so that attackers imitate their names. */
const WELL_KNOWN: Readonly<Record<PackageManagerName, ReadonlySet<string>>> = {
  npm: JAVASCRIPT,
  pnpm: JAVASCRIPT,
  yarn: JAVASCRIPT,
  pip: PYTHON,
  pyproject: PYTHON,
  uv: PYTHON,
  pdm: PYTHON,
  pylock: PYTHON,
  cargo: new Set(
    `ahash aho-corasick anyhow arrayvec async-trait axum base64 bincode bitflags bstr bumpalo bytemuck byteorder bytes cargo_metadata cfg-if
    chrono ciborium clap color-eyre console criterion crossbeam crossbeam-channel csv ctrlc dashmap derive_more diesel dirs either
    env_logger eyre fastrand flate2 futures futures-util getrandom glob h2 hashbrown heck hex http humantime hyper indexmap indicatif
    insta itertools itoa jsonwebtoken lazy_static libc libloading lock_api log memchr memmap2 mime mio mockall nalgebra native-tls
    ndarray nix nom num num-bigint num-traits num_cpus once_cell openssl parking_lot paste petgraph pin-project polars pretty_assertions
    proc-macro2 proptest prost pyo3 quick-xml quickcheck quote rand rand_chacha rand_core rayon regex regex-syntax reqwest ring rocket
    rstest rusqlite rustls rustls-pemfile ryu same-file schemars semver serde serde_derive serde_json serde_urlencoded serde_with
    serde_yaml serial_test sha1 sha2 similar slab smallvec socket2 sqlx static_assertions strsim structopt strum subtle syn tar tempfile
    termcolor test-case textwrap thiserror time tinyvec tokio tokio-stream tokio-util toml toml_edit tonic tower tower-http tracing
    tracing-subscriber trybuild typenum unicode-segmentation unicode-width url uuid walkdir wasm-bindgen winapi zeroize zip zstd`.split(
      /\s+/,
    ),
  ),
  go: new Set(
    `cloud.google.com/go github.com/BurntSushi/toml github.com/Masterminds/semver github.com/aws/aws-sdk-go github.com/aws/aws-sdk-go-v2
    github.com/bits-and-blooms/bitset github.com/cenkalti/backoff github.com/cespare/xxhash github.com/charmbracelet/bubbletea
    github.com/charmbracelet/lipgloss github.com/davecgh/go-spew github.com/docker/docker github.com/dustin/go-humanize
    github.com/fatih/color github.com/fsnotify/fsnotify github.com/gin-gonic/gin github.com/go-chi/chi github.com/go-logr/logr
    github.com/go-playground/validator github.com/go-redis/redis github.com/go-sql-driver/mysql github.com/gofiber/fiber
    github.com/gofrs/uuid github.com/gogo/protobuf github.com/golang-jwt/jwt github.com/golang/mock github.com/golang/protobuf
    github.com/google/go-cmp github.com/google/uuid github.com/gorilla/mux github.com/gorilla/sessions github.com/gorilla/websocket
    github.com/grpc-ecosystem/grpc-gateway github.com/hashicorp/go-multierror github.com/hashicorp/golang-lru github.com/jackc/pgx
    github.com/jmoiron/sqlx github.com/json-iterator/go github.com/julienschmidt/httprouter github.com/klauspost/compress
    github.com/labstack/echo github.com/lib/pq github.com/mattn/go-isatty github.com/mattn/go-sqlite3 github.com/mitchellh/mapstructure
    github.com/nats-io/nats.go github.com/onsi/ginkgo github.com/onsi/gomega github.com/pelletier/go-toml github.com/pkg/errors
    github.com/prometheus/client_golang github.com/redis/go-redis github.com/robfig/cron github.com/rs/zerolog github.com/samber/lo
    github.com/segmentio/kafka-go github.com/shopspring/decimal github.com/sirupsen/logrus github.com/spf13/afero github.com/spf13/cast
    github.com/spf13/cobra github.com/spf13/pflag github.com/spf13/viper github.com/stretchr/testify github.com/tidwall/gjson
    github.com/urfave/cli github.com/valyala/fasthttp github.com/vmihailenco/msgpack go.etcd.io/bbolt go.etcd.io/etcd
    go.mongodb.org/mongo-driver go.opentelemetry.io/otel go.uber.org/atomic go.uber.org/fx go.uber.org/mock go.uber.org/multierr
    go.uber.org/zap golang.org/x/crypto golang.org/x/exp golang.org/x/mod golang.org/x/net golang.org/x/oauth2 golang.org/x/sync
    golang.org/x/sys golang.org/x/term golang.org/x/text golang.org/x/time golang.org/x/tools google.golang.org/api
    google.golang.org/grpc google.golang.org/protobuf gopkg.in/yaml.v2 gopkg.in/yaml.v3 gorm.io/gorm k8s.io/api k8s.io/apimachinery
    k8s.io/client-go`.split(/\s+/),
  ),
};
/** A shorter name differs by one letter from many words. */
const MIN_LENGTH = 4;

export function isWellKnown(manager: PackageManagerName, name: string): boolean {
  return WELL_KNOWN[manager].has(withoutMajor(name));
}

/** The well-known package whose name differs by one letter from this name, or null. */
export function lookAlike(manager: PackageManagerName, fullName: string): string | null {
  const name = withoutMajor(fullName);
  const known = WELL_KNOWN[manager];
  if (known.has(name) || name.length < MIN_LENGTH) return null;
  return [...known].find((each) => isOneLetterAway(each, name)) ?? null;
}

/** Go module paths contain the major version: `/v2`. */
function withoutMajor(name: string): string {
  return name.replace(/\/v\d+$/, '');
}

/** One letter inserted, removed or replaced, or two adjacent letters exchanged. */
function isOneLetterAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

export function lookAlikeWarning(name: string, known: string): string {
  return `The name ${name} is one letter away from ${known}, which is well known. Make sure that it is the package you mean.`;
}
