// The whole public API of anyorder. `namespace ao = anyorder;` is the customary short name.
#pragma once

#include "anyorder/async.hpp"
#include "anyorder/errors.hpp"
#include "anyorder/expect_race.hpp"
#include "anyorder/finish.hpp"
#include "anyorder/future.hpp"
#include "anyorder/isolated.hpp"
#include "anyorder/loops.hpp"
#include "anyorder/options.hpp"
#include "anyorder/region.hpp"
#include "anyorder/source_site.hpp"
