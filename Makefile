# pipeline: what a developer types.
#
#   make demo        builds the command and walks through a migration; SIZE=small, DEMO=folder
#   make test        runs the tests
#   make check       what CI runs: build with checked imports, lint, darwin, docs, tests
#   make format      lays out the Swift sources
#   make darwin      type-checks everything for macOS, on Linux
#   make lint        says what `make format` would change, and what it cannot
#   make memory      migrates ITEMS=10000000 objects and 500 pictures, with scripts and without, and
#                    says the memory each took
#   make bench       measures a release build against its peers and its goals, and what the layers
#                    cost; the status is 1 when a goal that was reached once is missed by more than
#                    15 %. FILTER=M1 a part, FILTER=P13 a goal, BENCH=full all at full size,
#                    BENCH=record adds goals that are reached to the list, BENCH_ROWS, BENCH_ROUNDS
#   make bench-deps  installs the peers; those that are missing are named, not measured
#   make sanitize    runs the tests under AddressSanitizer and ThreadSanitizer
#   make torture     ends a run at each of its calls that change a file; TORTURE=quick a part
#   make fleet       migrates STORES=10000 stores of 172 KB, JOBS=2 at a time, undisturbed and killed
#                    every ten seconds, and prints time and memory; about ten minutes
#   make differential  compares N=10000 random migrations with a second program, from SEED=1 on
#   make core-data   compares N=10000 random migrations with Core Data's own; on macOS
#   make fuzz        feeds the readers FUZZ_RUNS=1000000 broken inputs each
#   make lua-source  puts Lua's source, LUA=lua-5.4.8.tar.gz, where the trait LuaSource finds it
#   make lua-check   builds and tests a copy with Lua's source, and the sample of an app; LUA= as above
#   make docs        makes the library's documentation, .build/docs/StorePipeline.doccarchive
#   make docs-site   makes the same pages as plain HTML with a search, in .build/docs-site
#   make pages       writes the pages of the stages, functions and rules again
#   make install     installs command, completions and man page below PREFIX=/usr/local
#   make uninstall   removes them again
#   make image-size  says how large the image of the Dockerfile is, part by part, without an engine
#   make deb         makes a Debian package of the command, in .build/deb
#   make deps        installs the libraries that are missing, or says which
#   make test-deps   installs what a few tests need besides; without it they are skipped
#   make clean       removes everything that was built

.PHONY: help demo test check darwin format lint memory bench bench-deps sanitize torture fleet differential \
  core-data fuzz lua-source lua-check docs docs-site pages image-size install uninstall deb deps test-deps \
  clean imports
.NOTPARALLEL:

PREFIX ?= /usr/local
FUZZ_RUNS ?= 1000000
FILTER ?=
BENCH ?=
BENCH_ROWS ?=
BENCH_PICTURES ?=
BENCH_ROUNDS ?=
ITEMS ?= 10000000
TORTURE ?= full
STORES ?= 10000
JOBS ?= 2
N ?= 10000
SEED ?= 1
LUA ?=

SOURCES = Package.swift Sources Tests samples/InApp/Package.swift samples/InApp/Sources
# Pictures for scripts, by libjpeg and libvips; `make TRAITS=` builds without them.
TRAITS = --traits Images
export TRAITS
BUILD = swift build $(TRAITS)
TEST = swift test $(TRAITS) --disable-xctest

SIZE ?= normal
DEMO ?= .build/demo

INSTALLED = $(addprefix $(DESTDIR)$(PREFIX)/,bin/pipeline share/man/man1/pipeline.1 \
  share/bash-completion/completions/pipeline share/zsh/site-functions/_pipeline \
  share/fish/vendor_completions.d/pipeline.fish share/pipeline)

# On Linux the command is linked so that it runs where no Swift is.
ifneq ($(shell uname -s),Darwin)
STATIC = --static-swift-stdlib
# A type such as [Key: Value] is made from its parts. From its name, as is usual, the runtime would
# look through all conformances of the program for that of Key, which a short run feels.
FRONTEND = -disable-concrete-type-metadata-mangled-name-accessors
QUICK = -Xswiftc -Xfrontend -Xswiftc $(FRONTEND)
# Of libcrypto the command needs two digests, and a library of thousands of functions takes each start
# a millisecond; Expat is small, and one library less to have.
LINKED = $(shell .ci/linked)
endif
# The same options each time: other ones would build everything again.
OPTIMIZED = $(LINKED) $(BUILD) -c release $(STATIC) $(QUICK)
RELEASE = $(OPTIMIZED) --product pipeline
RELEASED = $$($(OPTIMIZED) --show-bin-path)
PLOT = Sources/StorePipeline/StorePipeline.docc/Resources/bench.svg
MEASURED = Sources/StorePipeline/StorePipeline.docc/Measured.md

help:
	@sed -n 's/^#   //p' Makefile

# What an earlier demonstration has left goes only where this file has put it.
demo: deps
	$(RELEASE)
	@rm -rf .build/demo
	@PATH="$(RELEASED):$$PATH" .ci/demo $(DEMO) $(SIZE)

test: deps
	.ci/test

# The check for Apple systems runs next to the torture and the comparison, which wait for the disk.
# The tests come last, so that what they found is the end of the output. Their temporary folder is a
# link, as /tmp is on a Mac.
check: deps imports lint docs
	@log=$$(mktemp); $(MAKE) darwin > "$$log" 2>&1 & other=$$!; trap 'kill $$other' INT TERM; \
	  $(MAKE) torture TORTURE=quick && $(MAKE) differential N=300; status=$$?; \
	  wait $$other || status=$$?; cat "$$log"; rm -f "$$log"; exit $$status
	@folder=$$(mktemp -d) && mkdir -m 1777 "$$folder/real" && chmod 755 "$$folder" && \
	  ln -s real "$$folder/linked" && TMPDIR="$$folder/linked" $(MAKE) test; \
	  status=$$?; rm -rf "$$folder"; exit $$status

imports:
	$(BUILD) --build-tests --explicit-target-dependency-import-check error

darwin: deps
	.ci/darwin

format:
	swift format -i -r -p $(SOURCES)

lint:
	swift format lint --strict -r -p $(SOURCES)

memory: deps
	$(RELEASE)
	$(OPTIMIZED) --product LargeStore
	for work in "things $(ITEMS) rename" "things $(ITEMS) rewrite" "pictures 500 move"; do \
	  set -- $$work; \
	  "$(RELEASED)/LargeStore" .build/memory $$1 $$2 && \
	  "$(RELEASED)/pipeline" run .build/memory/$$3.pipeline .build/memory/*.sqlite || exit 1; \
	done

# A part, or another size than usual, leaves the plot that the README shows as it is.
bench: deps
	$(RELEASE)
	for product in LargeStore Meter Benchmarks; do \
	  $(OPTIMIZED) --product $$product || exit 1; \
	done
	"$(RELEASED)/Benchmarks" size=$(BENCH) "filter=$(FILTER)" rows=$(BENCH_ROWS) \
	  pictures=$(BENCH_PICTURES) rounds=$(BENCH_ROUNDS) programs="$(RELEASED)" \
	  json=.build/bench.json $(if $(FILTER)$(BENCH_ROWS)$(BENCH_PICTURES),,plot=$(PLOT) page=$(MEASURED))

bench-deps:
	@.ci/deps bench

# Leaks are not looked for: Foundation and the Swift runtime on Linux have their own.
sanitize: deps
	ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=64 $(TEST) --sanitize=address --scratch-path .build/address
	TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/races \
	  $(TEST) --sanitize=thread --scratch-path .build/thread

# A debug build has the faults, and is fast enough for a part. All points take a release build with
# them, in a folder of its own. What is interrupted resumes where it was.
FAULTY = $(BUILD) $(if $(filter quick,$(TORTURE)),,$(FAULTS))
FAULTS = -c release -Xswiftc -DFAULTS -Xcc -DFAULTS --scratch-path .build/torture
torture: deps
	$(FAULTY) --product pipeline
	$(FAULTY) --product Torture
	"$$($(FAULTY) --show-bin-path)/Torture" $(TORTURE)

# The stores are those of `make bench`: 500 objects of one entity, one attribute renamed.
fleet: deps
	$(RELEASE)
	$(OPTIMIZED) --product LargeStore
	"$(RELEASED)/LargeStore" .build/fleet/sample things 500
	python3 Tests/Fleet/fleet.py --pipeline "$(RELEASED)/pipeline" --stores $(STORES) --jobs $(JOBS) \
	  --file .build/fleet/sample/rename.pipeline --store "$$(ls .build/fleet/sample/*.sqlite)" \
	  --folder .build/fleet/stores

# The reference is written in Python, from what is known of Core Data and not from these sources.
differential: deps
	$(BUILD) --product pipeline
	.ci/differential "$$($(BUILD) --show-bin-path)/pipeline" $(N) $(SEED)

# What the samples become is opened by Core Data, too.
core-data: deps
	$(BUILD) --product pipeline
	.ci/core-data "$$($(BUILD) --show-bin-path)/pipeline" $(N) $(SEED)

fuzz: deps
	.ci/fuzz $(FUZZ_RUNS)

lua-source:
	@.ci/lua-source "$(LUA)"

lua-check: deps
	.ci/lua-check "$(LUA)"

docs: deps
	.ci/docs

docs-site:
	@.ci/docs-site .build/docs-site

PAGES = Sources/StorePipeline/StorePipeline.docc
pages: deps
	$(BUILD) --product pipeline
	pipeline="$$($(BUILD) --show-bin-path)/pipeline" && \
	  "$$pipeline" stages --markdown > $(PAGES)/Stages.md && \
	  "$$pipeline" types --markdown > $(PAGES)/Functions.md && \
	  "$$pipeline" model rules --markdown > $(PAGES)/ModelRules.md

install: deps
	$(RELEASE)
	DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" .ci/install "$(RELEASED)/pipeline"

uninstall:
	rm -rf $(INSTALLED)

image-size: deps
	$(RELEASE)
	.ci/image-size "$(RELEASED)/pipeline"

deb: deps
	$(RELEASE)
	.ci/deb "$(RELEASED)/pipeline" .build/deb

deps:
	@.ci/deps libraries

test-deps:
	@.ci/deps tests

clean:
	rm -rf .build
